// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title Mandates
/// @notice The payers' side of the subscription collector: a payer gives a mandate by transaction, or by a signature that
/// anyone may bring, and may revoke it at any time. No one can stop a payer from revoking.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
abstract contract Mandates is EIP712, ReentrancyGuardTransient {
    struct Mandate {
        address payer;
        address token;
        uint128 maxPerPeriod;
        uint48 period;
        uint48 start;
        /// The first second that is too late.
        uint48 end;
        uint8 carry;
        /// The subscription it is for: keccak256 of its id, with its last four bytes replaced by the number of the
        /// first charge, which no charge may run ahead of.
        bytes32 ref;
    }

    enum Status {
        None,
        Active,
        Revoked
    }

    /// One word. `available` is the amount that the window `window` has left; `lastNumber` the newest number that was
    /// charged.
    struct State {
        Status status;
        uint32 window;
        uint32 lastNumber;
        uint128 available;
    }

    enum Reason {
        Ok,
        AlreadyCharged,
        MandateMissing,
        MandateRevoked,
        NotStarted,
        Ended,
        PeriodLimit,
        InsufficientBalance,
        InsufficientAllowance,
        TokenRefused
    }

    /// @notice A payer's agreement is active from here on.
    event Authorized(bytes32 indexed id, address indexed payer, bytes32 indexed ref, Mandate mandate);
    /// @notice A mandate has ended for ever, by its payer.
    event Revoked(bytes32 indexed id, address indexed payer);

    /// @notice The terms make no sense, such as an end before the start.
    error InvalidMandate();
    /// @notice The payer did not sign this.
    error InvalidSignature();
    /// @notice Only the payer of a mandate may do that.
    error NotPayer(address account);
    /// @notice The mandate is over; the reason says why.
    error Refused(Reason reason);

    bytes32 private constant MANDATE_TYPE =
        keccak256(
            "Mandate(address payer,address token,uint128 maxPerPeriod,uint48 period,uint48 start,uint48 end,uint8 carry,bytes32 ref)"
        );

    /// @notice What became of each mandate, by its payer and id.
    /// @return status Whether it is active or revoked.
    /// @return window The window of its last charge, counted from 1; 0 before the first.
    /// @return lastNumber The newest number that was charged; 0 for none.
    /// @return available The amount that the window had left.
    mapping(address payer => mapping(bytes32 id => State)) public state;

    constructor() EIP712("Kasi Subscriptions", "1") {}

    /// @notice The mandate's id: its EIP-712 struct hash.
    /// @param m The terms.
    /// @return Its id, which says nothing of chain or contract.
    function mandateId(Mandate calldata m) public pure returns (bytes32) {
        return keccak256(abi.encode(MANDATE_TYPE, m));
    }

    /// @notice The payer's own agreement. Repeating it changes nothing; a revoked mandate never comes back.
    /// @param m The terms; the sender has to be their payer.
    function authorize(Mandate calldata m) external nonReentrant {
        if (msg.sender != m.payer) revert NotPayer(msg.sender);
        accept(m, mandateId(m));
    }

    /// @notice Brings the payer's agreement; anyone may.
    /// @param m The terms.
    /// @param signature The payer's, by a key (65 bytes) or as the wallet's code takes it (ERC-1271).
    function authorizeBySig(Mandate calldata m, bytes calldata signature) external nonReentrant {
        acceptSigned(m, signature);
    }

    /// @notice Ends one of the sender's mandates for ever, even one that exists only as a signature so far.
    /// @param id The mandate's id.
    function revoke(bytes32 id) external nonReentrant {
        end(msg.sender, id);
    }

    /// The most that is kept: this window's amount and that of `carry` unused ones.
    function capacity(Mandate calldata m) internal pure returns (uint256) {
        return (uint256(m.carry) + 1) * m.maxPerPeriod;
    }

    function acceptSigned(Mandate calldata m, bytes calldata signature) private {
        bytes32 id = mandateId(m);
        requireSigned(m.payer, id, signature);
        accept(m, id);
    }

    function accept(Mandate calldata m, bytes32 id) private {
        State storage s = state[m.payer][id];
        if (s.status == Status.Active) return;
        if (s.status == Status.Revoked) revert Refused(Reason.MandateRevoked);
        if (block.timestamp >= m.end) revert Refused(Reason.Ended);
        // The last two: the counts below must fit into their fields, whatever the windows and the carry are.
        if (
            m.token == address(0) ||
            m.maxPerPeriod == 0 ||
            m.period == 0 ||
            m.start >= m.end ||
            (m.end - m.start) / m.period >= type(uint32).max ||
            capacity(m) > type(uint128).max
        ) revert InvalidMandate();
        s.status = Status.Active;
        emit Authorized(id, m.payer, m.ref, m);
    }

    function end(address payer, bytes32 id) private {
        State storage s = state[payer][id];
        if (s.status == Status.Revoked) return;
        s.status = Status.Revoked;
        emit Revoked(id, payer);
    }

    /// A wallet's key signs even where the wallet has code by now (EIP-7702); the code is asked (ERC-1271) only if it
    /// did not.
    function requireSigned(address payer, bytes32 structHash, bytes calldata signature) private view {
        bytes32 digest = _hashTypedDataV4(structHash);
        (address signer, ECDSA.RecoverError wrong, ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (wrong == ECDSA.RecoverError.NoError && signer == payer) return;
        if (payer.code.length != 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(payer, digest, signature)) return;
        revert InvalidSignature();
    }
}
