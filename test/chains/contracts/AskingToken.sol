// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// Signed transfers as USDC has them since its version 2.2: of a holder with code, the code is asked and not the key.
contract AskingToken is ERC20("Asking Coin", "USDC"), EIP712("Asking Coin", "2") {
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp > validAfter && block.timestamp < validBefore, "not now");
        require(!authorizationState[from][nonce], "used");
        bytes32 terms = keccak256(abi.encode(TRANSFER, from, to, value, validAfter, validBefore, nonce));
        require(
            SignatureChecker.isValidSignatureNow(from, _hashTypedDataV4(terms), abi.encodePacked(r, s, v)),
            "invalid signature"
        );
        authorizationState[from][nonce] = true;
        _transfer(from, to, value);
    }
}

/// Code for a wallet: it agrees to everything while somebody only tries, and burns all gas on the chain.
contract Turncoat {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (tx.gasprice > 0) assembly {
            invalid()
        }
        return this.isValidSignature.selector;
    }
}
