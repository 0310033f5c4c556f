// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A contract wallet (ERC-1271): it accepts the digests that it was told to accept, or answers as configured.
contract SmartWallet {
    enum Answer {
        Honest,
        Reverts,
        Nothing,
        WrongWord,
        ReturnsMegabyte
    }

    mapping(bytes32 digest => bytes32 signatureHash) private agreed;
    Answer private answer;

    function agree(bytes32 digest, bytes calldata signature) external {
        agreed[digest] = keccak256(signature);
    }

    function setAnswer(Answer answer_) external {
        answer = answer_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (answer == Answer.Reverts) revert("ask later");
        if (answer == Answer.Nothing) assembly {
            return(0, 0)
        }
        if (answer == Answer.ReturnsMegabyte) assembly {
            return(0, 0x100000)
        }
        if (answer == Answer.WrongWord) return 0xffffffff;
        return agreed[digest] == keccak256(signature) ? this.isValidSignature.selector : bytes4(0);
    }

    function run(address to, bytes calldata data) external {
        (bool done, ) = to.call(data);
        require(done, "the call failed");
    }
}

/// It asks whoever reads it to fetch a URL instead (ERC-3668).
contract LuringWallet {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string private url;

    function lureTo(string calldata url_) external {
        url = url_;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, "", this.comeBack.selector, "");
    }

    function comeBack(bytes calldata, bytes calldata) external pure returns (bytes4) {
        return LuringWallet.isValidSignature.selector;
    }
}
