// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title USDC of the sandbox
/// @notice The sandbox's USDC: an ERC-20 with 6 decimals whose holders may sign transfers for others to send (ERC-3009) and allowances
/// (ERC-2612), as those of Circle's may. Any account may mint: it is worth nothing, on purpose.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
contract TestUsdc is ERC20("Test USD Coin", "USDC"), ERC20Permit("Test USD Coin"), ERC3009 {
    /// @notice How many digits stand behind the point.
    /// @return Always 6.
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice The version of the token that signatures are made for.
    /// @return Always 1.
    function version() external pure returns (string memory) {
        return "1";
    }

    /// @notice Makes play money; anyone may.
    /// @param to Who gets it.
    /// @param amount How much, in millionths.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
