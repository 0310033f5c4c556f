// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IFactory {
    function sweep(bytes32[] calldata salts, address token) external;
}

/// A treasury that can be told to refuse ether, and to sweep again while it is being paid.
contract MoodyTreasury {
    bool private refuses;
    IFactory private factory;
    bytes32[] private salts;

    function setRefuses(bool refuses_) external {
        refuses = refuses_;
    }

    function setReentry(IFactory factory_, bytes32[] calldata salts_) external {
        factory = factory_;
        salts = salts_;
    }

    receive() external payable {
        if (refuses) revert("not now");
        if (address(factory) != address(0)) factory.sweep(salts, address(0));
    }
}

/// Sends ether as an old wallet contract does: with exactly 2,300 gas.
contract StipendWallet {
    function pay(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value, gas: 0}(""); // A value makes it 2,300.
        if (!sent) revert("not enough gas");
    }
}
