// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Makes any calls for any caller, all or none: a contract wallet.
contract Puppet {
    struct Call {
        address to;
        bytes data;
    }

    function run(Call[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool done, ) = calls[i].to.call(calls[i].data);
            require(done, "a call failed");
        }
    }
}
