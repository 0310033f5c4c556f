// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Emits whatever a watcher may encounter.
contract Noise {
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// Emits `count` transfers to `to` in one transaction, of 1, 2, 3, …
    function transfers(address to, uint256 count) external {
        for (uint256 i = 1; i <= count; ++i) emit Transfer(msg.sender, to, i);
    }

    /// A transfer of an NFT: the id is a fourth topic, and there is no data.
    function nft(address to, uint256 id) external {
        bytes32 topic = Transfer.selector;
        assembly {
            log4(0, 0, topic, caller(), to, id)
        }
    }

    /// A transfer's topics with `size` bytes of data instead of one word.
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
