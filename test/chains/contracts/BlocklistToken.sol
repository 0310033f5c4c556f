// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Refuses transfers to blocked accounts, as USDC does, and can refuse all transfers of nothing.
contract BlocklistToken {
    uint8 public constant decimals = 6;
    string public constant symbol = "USDC";
    mapping(address account => bool) public blocked;
    bool public refusesNothing;

    function set(address account, bool block_, bool refuse) external {
        blocked[account] = block_;
        refusesNothing = refuse;
    }

    function transfer(address to, uint256 amount) external view returns (bool) {
        require(!blocked[to] && !(refusesNothing && amount == 0), "refused");
        return true;
    }
}
