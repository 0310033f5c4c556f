// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// USDT of the sandbox once its issuer has switched its fee on, a thousandth, as Tether's code takes it: with a log of its own, to
/// the owner. The storage is laid out as that of TestUsdt, so that this code can take its place.
contract FeeUsdt {
    event Transfer(address indexed from, address indexed to, uint256 value);

    address public constant OWNER = address(0xfee);
    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function name() external pure returns (string memory) {
        return "Test Tether USD";
    }

    function symbol() external pure returns (string memory) {
        return "USDT";
    }

    function decimals() external pure returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external {
        uint256 fee = amount / 1000;
        take(msg.sender, OWNER, fee);
        take(msg.sender, to, amount - fee);
    }

    /// The issuer takes what an address holds.
    function seize(address from, uint256 amount) external {
        take(from, OWNER, amount);
    }

    function take(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
