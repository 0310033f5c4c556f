// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// An 18-decimal token with a habit per holder, which applies when the holder's tokens are sent, by any account.
contract HostileToken {
    enum Habit {
        Standard,
        ReturnsNothing,
        ReturnsFalse,
        ReturnsTwo,
        ReturnsOneByte,
        Blocked,
        TakesFee,
        EatsGas,
        Reenters,
        ReturnsMegabyte,
        RevertsWithMegabyte,
        BalanceReverts,
        BalanceIsShort,
        ReentersQuietly,
        BlockedAndBalanceReverts,
        BlockedAndAllowanceReverts,
        BlockedAndBalanceIsMegabyte
    }

    event Transfer(address indexed from, address indexed to, uint256 value);

    uint8 public constant decimals = 18;
    mapping(address account => uint256) private balances;
    mapping(address account => Habit) public habits;
    mapping(address account => mapping(address spender => uint256)) private allowances;
    address private target;
    bytes private data;
    bool private inside;
    /// Whether the last call in the middle of a transfer succeeded.
    bool public reentered;

    function mint(address to, uint256 amount, Habit habit) external {
        balances[to] += amount;
        habits[to] = habit;
        emit Transfer(address(0), to, amount);
    }

    function setHabit(address account, Habit habit) external {
        habits[account] = habit;
    }

    /// The contract that `Reenters` calls in the middle of a transfer, and the calldata.
    function setReentry(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowances[msg.sender][spender] = amount;
        return true;
    }

    function allowance(address account, address spender) external view returns (uint256) {
        if (habits[account] == Habit.BlockedAndAllowanceReverts) revert("no allowance for you");
        return allowances[account][spender];
    }

    function balanceOf(address account) external view returns (uint256) {
        if (habits[account] == Habit.BlockedAndBalanceIsMegabyte) {
            assembly {
                return(0, 0x100000)
            }
        }
        if (habits[account] == Habit.BalanceReverts || habits[account] == Habit.BlockedAndBalanceReverts) revert("no balance for you");
        if (habits[account] == Habit.BalanceIsShort) {
            assembly {
                return(0, 31)
            }
        }
        return balances[account];
    }

    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowances[from][msg.sender] -= amount;
        move(from, to, amount);
    }

    function move(address from, address to, uint256 amount) private {
        Habit habit = habits[from];
        if (habit == Habit.Blocked || habit >= Habit.BlockedAndBalanceReverts) revert("blocked");
        if (habit == Habit.EatsGas) while (true) {}
        if (habit == Habit.RevertsWithMegabyte) {
            assembly {
                revert(0, 0x100000)
            }
        }
        if (habit == Habit.ReturnsFalse) answer(0, 32);
        if (habit == Habit.ReturnsTwo) answer(2, 32);
        if (habit == Habit.ReturnsOneByte) answer(0, 1);
        if ((habit == Habit.Reenters || habit == Habit.ReentersQuietly) && !inside) {
            inside = true;
            (bool done, ) = target.call(data);
            require(done || habit == Habit.ReentersQuietly, "refused");
            reentered = done;
            inside = false;
        }
        uint256 fee = habit == Habit.TakesFee ? amount / 1000 : 0;
        balances[from] -= amount;
        balances[to] += amount - fee;
        balances[address(this)] += fee;
        emit Transfer(from, to, amount - fee);
        if (habit == Habit.ReturnsNothing) return;
        answer(1, habit == Habit.ReturnsMegabyte ? 0x100000 : 32);
    }

    function answer(uint256 word, uint256 size) private pure {
        assembly {
            mstore(0, word)
            return(0, size)
        }
    }
}
