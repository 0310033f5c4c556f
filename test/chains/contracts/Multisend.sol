// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Token {
    function transfer(address to, uint256 units) external returns (bool);
}

/// It holds tokens and sends them to many in one transaction, as a treasury's wallet does.
contract Multisend {
    function send(address token, address[] calldata to, uint256[] calldata units) external {
        for (uint256 index; index < to.length; index++) {
            (bool done, ) = token.call(abi.encodeCall(Token.transfer, (to[index], units[index])));
            require(done, "a transfer failed");
        }
    }
}
