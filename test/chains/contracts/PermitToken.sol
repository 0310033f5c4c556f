// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token with approvals by signature, each valid once, as in EIP-2612; only the signed message is simpler.
contract PermitToken {
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    mapping(address account => uint256) public nonces;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, "late");
        bytes32 digest = keccak256(abi.encode(owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == owner, "not signed");
        allowance[owner][spender] = value;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}
