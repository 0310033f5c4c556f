// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Mandates} from "./Mandates.sol";

/// @title Subscription collector
/// @notice Collects recurring payments: pulls the agreed amounts from payers' wallets into one treasury that can never change.
///
/// - The payer gives a mandate (by transaction, or by a signature that anyone may bring) and may revoke it at any time.
/// - The operator charges within mandates. It can do nothing else: not choose where money goes, nor exceed a mandate,
///   nor charge one number twice, nor use up numbers of periods to come, nor charge nothing. So whoever steals its key
///   can spoil at most the present period of a mandate, and never the mandate.
/// - The owner replaces the operator (in two steps), and stops and resumes collecting. It cannot move money at all. A
///   pause stops `collectMany` and nothing else: payers can always revoke.
///
/// A mandate's time is cut into windows of `period` seconds from `start`. Each window brings `maxPerPeriod`, and unused
/// amounts of at most `carry` windows are kept. So up to any moment never more than `maxPerPeriod` times the windows
/// begun is taken, and within one window never more than `1 + carry` times it.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
contract SubscriptionCollector is Mandates, Ownable2Step, Pausable {
    struct Charge {
        Mandate mandate;
        uint128 amount;
        /// Every attempt at one payment has the same number, every later payment a greater one. At most the mandate's
        /// first number, and one more for each window after the first.
        uint32 number;
    }

    /// @notice A charge was taken. `amount` is what left the payer. What the treasury got may be less (fee on transfer): read the token's own
    /// Transfer.
    event Collected(bytes32 indexed id, uint32 indexed number, address indexed payer, uint256 amount);
    /// @notice A charge was not taken, and nothing has changed.
    event CollectFailed(bytes32 indexed id, uint32 indexed number, Reason reason);
    /// @notice An account may become the operator.
    event OperatorProposed(address indexed operator, address indexed proposed);
    /// @notice Another account charges from here on.
    event OperatorReplaced(address indexed previous, address indexed operator);

    /// @notice Treasury and operator are needed.
    error AddressMissing();
    /// @notice This account is not the operator, or not the proposed one.
    error NotOperator(address account);
    /// @notice The contract always has an owner.
    error OwnerNeeded();

    /// @notice Where all collected money goes.
    /// @return The treasury, which can never change.
    address public immutable TREASURY;

    /// @notice Who may charge.
    /// @return The operator.
    address public operator;
    /// @notice Who may become the operator; 0 for nobody.
    /// @return The account that the owner has proposed.
    address public proposedOperator;

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        _;
    }

    /// @dev All three are arguments, because the sender is the deterministic deployer.
    /// @param treasury Gets all collected money, for ever.
    /// @param owner_ May replace the operator, and pause.
    /// @param operator_ May charge within mandates.
    constructor(
        address treasury,
        address owner_,
        address operator_
    ) Ownable(owner_) {
        if (treasury == address(0) || operator_ == address(0)) revert AddressMissing();
        TREASURY = treasury;
        operator = operator_;
        emit OperatorReplaced(address(0), operator_);
    }

    /// @notice Attempts each charge; one that fails stops no other. Only for the operator.
    /// @param charges Each with the terms of its mandate, its amount and its number.
    /// @return reasons What became of each, in their order; 0 where it was taken.
    function collectMany(
        Charge[] calldata charges
    ) external onlyOperator whenNotPaused nonReentrant returns (Reason[] memory reasons) {
        reasons = new Reason[](charges.length);
        for (uint256 i = 0; i < charges.length; ++i) {
            Charge calldata c = charges[i];
            (bytes32 id, Reason reason) = charge(c.mandate, c.amount, c.number);
            if (reason == Reason.Ok) emit Collected(id, c.number, c.mandate.payer, c.amount);
            else emit CollectFailed(id, c.number, reason);
            reasons[i] = reason;
        }
    }

    /// @notice The first step of replacing the operator; proposing the zero address withdraws the last proposal. Only for
    /// the owner.
    /// @param proposed The account that may become the operator.
    function proposeOperator(address proposed) external onlyOwner {
        proposedOperator = proposed;
        emit OperatorProposed(operator, proposed);
    }

    /// @notice The second step, by the new operator.
    function acceptOperator() external {
        if (msg.sender != proposedOperator || msg.sender == address(0)) revert NotOperator(msg.sender);
        emit OperatorReplaced(operator, msg.sender);
        operator = msg.sender;
        delete proposedOperator;
    }

    /// @notice Stops `collectMany`, and nothing else. Only for the owner.
    function pause() external onlyOwner {
        _pause();
    }

    /// @notice Ends a pause. Only for the owner.
    function unpause() external onlyOwner {
        _unpause();
    }

    /// A new owner begins without proposals of the former one.
    function _transferOwnership(address newOwner) internal override {
        super._transferOwnership(newOwner);
        delete proposedOperator;
    }

    /// @notice Always reverts. See decision chains/evm/pause-stops-charges-only: without an owner no one could take the
    /// contract from an operator whose key was stolen.
    function renounceOwnership() public pure override {
        revert OwnerNeeded();
    }

    /// Checks the number first: what has been charged stays charged, whatever became of the mandate since.
    function charge(
        Mandate calldata m,
        uint128 amount,
        uint32 number
    ) private returns (bytes32 id, Reason reason) {
        id = mandateId(m);
        State storage stored = state[m.payer][id];
        State memory s = stored;
        if (number <= s.lastNumber) return (id, Reason.AlreadyCharged);
        if (s.status == Status.None) return (id, Reason.MandateMissing);
        if (s.status == Status.Revoked) return (id, Reason.MandateRevoked);
        if (block.timestamp < m.start) return (id, Reason.NotStarted);
        if (block.timestamp >= m.end) return (id, Reason.Ended);
        (uint32 window, uint256 available) = bucket(m, s);
        // A charge of nothing, or of a number to come, would use up numbers without the payer's money.
        if (amount == 0 || amount > available || number > newestNumber(m, window)) return (id, Reason.PeriodLimit);
        if (!SafeERC20.trySafeTransferFrom(IERC20(m.token), m.payer, TREASURY, amount)) {
            return (id, whyNot(m.token, m.payer, amount));
        }
        // Nothing else can have written here meanwhile: every function that does is behind the guard.
        s.window = window;
        s.lastNumber = number;
        s.available = uint128(available - amount);
        state[m.payer][id] = s;
    }

    /// The greatest number that may be charged in a window: the first one, which the payer signed as the last four
    /// bytes of `ref`, and one more for each window after the first.
    function newestNumber(Mandate calldata m, uint32 window) private pure returns (uint256) {
        return uint256(uint32(uint256(m.ref))) + window - 1;
    }

    /// The current window, counted from 1, and the amount it has left. Only for a mandate that has started.
    function bucket(Mandate calldata m, State memory s) private view returns (uint32 window, uint256 available) {
        window = uint32((block.timestamp - m.start) / m.period + 1);
        available = s.available + uint256(window - s.window) * m.maxPerPeriod;
        uint256 most = capacity(m);
        if (available > most) available = most;
    }

    /// Called only after a failed transfer, so that successful ones do not pay for it.
    /// See decision chains/evm/reason-after-failure.
    function whyNot(address token, address payer, uint256 amount) private view returns (Reason) {
        (bool known, uint256 word) = ask(token, abi.encodeCall(IERC20.balanceOf, (payer)));
        if (!known) return Reason.TokenRefused;
        if (word < amount) return Reason.InsufficientBalance;
        (known, word) = ask(token, abi.encodeCall(IERC20.allowance, (payer, address(this))));
        return known && word < amount ? Reason.InsufficientAllowance : Reason.TokenRefused;
    }

    /// A token that reverts, answers less than a word or answers a megabyte does no harm.
    function ask(address token, bytes memory question) private view returns (bool known, uint256 word) {
        assembly ("memory-safe") {
            known := staticcall(gas(), token, add(question, 32), mload(question), 0, 32)
            known := and(known, gt(returndatasize(), 31))
            word := mload(0)
        }
    }
}
