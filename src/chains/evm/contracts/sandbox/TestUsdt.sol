// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title USDT of the sandbox
/// @notice The sandbox's USDT. It has the two habits of Tether's token on Ethereum that break code written for standard tokens:
/// transfer, transferFrom and approve return nothing, and an allowance that is not zero can only be set to zero.
/// Any account may mint: it is worth nothing, on purpose.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
contract TestUsdt {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error BalanceTooLow(address account, uint256 balance, uint256 needed);
    error AllowanceTooLow(address spender, uint256 allowed, uint256 needed);
    error AllowanceNotZero(address spender, uint256 allowed);

    /// @notice The token's name.
    /// @return Always the same.
    string public constant name = "Test Tether USD";
    /// @notice What it is called for short.
    /// @return Always the same.
    string public constant symbol = "USDT";
    /// @notice How many digits stand behind the point.
    /// @return Always 6.
    uint8 public constant decimals = 6;

    /// @notice All that was ever minted.
    /// @return The sum, in millionths.
    uint256 public totalSupply;
    /// @notice What each account holds.
    /// @return The balance, in millionths.
    mapping(address account => uint256) public balanceOf;
    /// @notice What each owner lets others move.
    /// @return How much is left of it, in millionths.
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    /// @notice Makes play money; anyone may.
    /// @param to Who gets it.
    /// @param amount How much, in millionths.
    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// @notice Moves money of the sender, and returns nothing.
    /// @param to Who gets it.
    /// @param amount How much, in millionths.
    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }

    /// @notice Moves money of another account, as far as that allowed it to the sender, and returns nothing.
    /// @param from Whose money it is.
    /// @param to Who gets it.
    /// @param amount How much, in millionths.
    function transferFrom(address from, address to, uint256 amount) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < amount) revert AllowanceTooLow(msg.sender, allowed, amount);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        move(from, to, amount);
    }

    /// @notice Lets an account move money of the sender; an allowance that is not zero can only be set to zero.
    /// @param spender Who may move it.
    /// @param amount How much, in millionths.
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
