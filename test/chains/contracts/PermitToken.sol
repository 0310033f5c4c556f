// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// A token that takes approvals by signature (EIP-2612).
contract PermitToken is ERC20Permit {
    constructor() ERC20("Permit", "PMT") ERC20Permit("Permit") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
