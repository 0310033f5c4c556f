// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Makes calls that carry ether, one after the other in one transaction, whether each succeeds or not.
contract Sequence {
    struct Step {
        address to;
        uint256 value;
        bytes data;
    }

    function run(Step[] calldata steps) external payable {
        for (uint256 i = 0; i < steps.length; ++i) {
            (bool done, ) = steps[i].to.call{value: steps[i].value}(steps[i].data);
            done;
        }
    }
}
