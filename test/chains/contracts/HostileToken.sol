// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IFactory {
    function sweep(bytes32[] calldata salts, address token) external;
}

/// An 18-decimal token that treats each holder in a way of its own when that holder sends.
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
        BalanceIsShort
    }

    event Transfer(address indexed from, address indexed to, uint256 value);

    uint8 public constant decimals = 18;
    mapping(address account => uint256) private balances;
    mapping(address account => Habit) public habits;
    IFactory private factory;
    bytes32[] private salts;
    bool private inside;

    function mint(address to, uint256 amount, Habit habit) external {
        balances[to] += amount;
        habits[to] = habit;
        emit Transfer(address(0), to, amount);
    }

    function setHabit(address account, Habit habit) external {
        habits[account] = habit;
    }

    /// What `Reenters` sweeps in the middle of a transfer.
    function setReentry(IFactory factory_, bytes32[] calldata salts_) external {
        factory = factory_;
        salts = salts_;
    }

    function balanceOf(address account) external view returns (uint256) {
        if (habits[account] == Habit.BalanceReverts) revert("no balance for you");
        if (habits[account] == Habit.BalanceIsShort) {
            assembly {
                return(0, 31)
            }
        }
        return balances[account];
    }

    function transfer(address to, uint256 amount) external {
        Habit habit = habits[msg.sender];
        if (habit == Habit.Blocked) revert("blocked");
        if (habit == Habit.EatsGas) while (true) {}
        if (habit == Habit.RevertsWithMegabyte) {
            assembly {
                revert(0, 0x100000)
            }
        }
        if (habit == Habit.ReturnsFalse) answer(0, 32);
        if (habit == Habit.ReturnsTwo) answer(2, 32);
        if (habit == Habit.ReturnsOneByte) answer(0, 1);
        if (habit == Habit.Reenters && !inside) {
            inside = true;
            factory.sweep(salts, address(this));
            inside = false;
        }
        uint256 fee = habit == Habit.TakesFee ? amount / 1000 : 0;
        balances[msg.sender] -= amount;
        balances[to] += amount - fee;
        balances[address(this)] += fee;
        emit Transfer(msg.sender, to, amount - fee);
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
