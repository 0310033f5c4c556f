// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title USDC of the sandbox
/// @notice The sandbox's USDC: a standard ERC-20 with 6 decimals. Any account may mint: it is worth nothing, on purpose.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
contract TestUsdc is ERC20("Test USD Coin", "USDC") {
    /// @notice How many digits stand behind the point.
    /// @return Always 6.
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice Makes play money; anyone may.
    /// @param to Who gets it.
    /// @param amount How much, in millionths.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
