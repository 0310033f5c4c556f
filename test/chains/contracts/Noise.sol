// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Emits whatever a watcher may meet.
contract Noise {
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// `count` transfers in one transaction: of 1, 2, 3, … to `to`.
    function transfers(address to, uint256 count) external {
        for (uint256 i = 1; i <= count; ++i) emit Transfer(msg.sender, to, i);
    }

    /// As an NFT does it: the id is a fourth topic, and there is no data.
    function nft(address to, uint256 id) external {
        bytes32 topic = Transfer.selector;
        assembly {
            log4(0, 0, topic, caller(), to, id)
        }
    }

    /// The right topics with `size` bytes of data instead of one word.
    function misshapen(address to, uint256 size) external {
        bytes32 topic = Transfer.selector;
        assembly {
            log3(0, size, topic, caller(), to)
        }
    }

    function transferAndRevert(address to, uint256 amount) external {
        emit Transfer(msg.sender, to, amount);
        revert("taken back");
    }
}
