// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The sandbox's USDT. It has the two habits of Tether's token on Ethereum that break code written for standard tokens:
/// transfer, transferFrom and approve return nothing, and an allowance that is not zero can only be set to zero.
/// Any account may mint: it is worth nothing, on purpose.
contract TestUsdt {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error BalanceTooLow(address account, uint256 balance, uint256 needed);
    error AllowanceTooLow(address spender, uint256 allowed, uint256 needed);
    error AllowanceNotZero(address spender, uint256 allowed);

    string public constant name = "Test Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < amount) revert AllowanceTooLow(msg.sender, allowed, amount);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        move(from, to, amount);
    }

    function approve(address spender, uint256 amount) external {
        uint256 allowed = allowance[msg.sender][spender];
        if (amount != 0 && allowed != 0) revert AllowanceNotZero(spender, allowed);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function move(address from, address to, uint256 amount) private {
        uint256 balance = balanceOf[from];
        if (balance < amount) revert BalanceTooLow(from, balance, amount);
        balanceOf[from] = balance - amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
