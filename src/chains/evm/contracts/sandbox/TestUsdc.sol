// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// The sandbox's USDC: a standard ERC-20 with 6 decimals. Any account may mint: it is worth nothing, on purpose.
contract TestUsdc is ERC20("Test USD Coin", "USDC") {
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
