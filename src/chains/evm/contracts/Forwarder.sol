// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Treasury source
/// @notice The contract that deploys a forwarder, as the forwarder asks it.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
interface ITreasurySource {
    /// @notice Where the forwarder sends what it holds.
    /// @return The treasury.
    function TREASURY() external view returns (address payable);
}

/// @title Forwarder
/// @notice Holds the money paid to one deposit address, and can do one thing with it: send it to the treasury.
///
/// It has no owner, no storage and no check of the caller, because no caller can do harm: the destination is part of
/// the code. Each byte of that code is paid for once per deposit address (200 gas), which is why it is assembly, and
/// why every check that need not be here is in DepositFactory.
///
/// - Empty calldata: takes the ether, in less than the 2,300 gas of a `transfer`.
/// - (token, amount): `token.transfer(treasury, amount)`; reverts unless the token agrees (returns nothing, or the word
///   1).
/// - (0, anything): sends all ether to the treasury and logs it: one topic, the treasury; data, the amount. Ether
///   leaves no log of its own, and as any account may call, the factory's event may be missing. So at any block the
///   total that an address ever received is its balance plus the sum of these logs.
///
/// Reads the treasury from the deployer instead of taking it as an argument. So the init code is the same for all
/// factories, and a deposit address depends on the factory's address and the salt alone.
/// See decision chains/evm/forwarder-asks-factory.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
contract Forwarder {
    address private immutable TREASURY;

    constructor() {
        TREASURY = ITreasurySource(msg.sender).TREASURY();
    }

    /// @notice Takes ether, or sends to the treasury what the calldata names; see above.
    fallback() external payable {
        address treasury = TREASURY;
        // Memory is ours alone: each path ends here. Only one word is copied back, so a token that returns a megabyte
        // pays for that itself.
        assembly {
            if iszero(calldatasize()) { stop() }
            let token := calldataload(0)
            if iszero(token) {
                mstore(0, selfbalance())
                if iszero(call(gas(), treasury, mload(0), 0, 0, 0, 0)) { revert(0, 0) }
                log1(0, 32, treasury)
                stop()
            }
            // From byte 28: the selector of transfer(address,uint256) (4), the treasury (32), the amount (32).
            mstore(0, 0xa9059cbb)
            mstore(32, treasury)
            mstore(64, calldataload(32))
            let called := call(gas(), token, 0, 28, 68, 0, 32)
            if iszero(and(called, or(iszero(returndatasize()), eq(mload(0), 1)))) { revert(0, 0) }
        }
    }
}
