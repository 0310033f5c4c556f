// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What is listed in the place of a USDC with six decimals.
contract WideToken {
    string public constant symbol = "USDC";
    uint8 public constant decimals = 18;
}
