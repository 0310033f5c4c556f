// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Forwarder} from "./Forwarder.sol";

/// @title Deposit factory
/// @notice Gives every payment its own address before anything is deployed there, and empties many of them at once into one
/// treasury that can never change.
///
/// No account is privileged: anyone may sweep, and all that this can do is bring the treasury its money. The only
/// argument is the treasury, so the factory has the same address on every chain where it is deployed through the
/// deterministic deployer; money sent to a deposit address on the wrong chain is then not lost.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
contract DepositFactory {
    struct Balance {
        uint256 index;
        uint256 balance;
    }

    /// @notice A deposit address was emptied. `amount` is what left it. What the treasury got may be less (fee on transfer): read the token's
    /// own Transfer logs for that.
    event Swept(address indexed deposit, address indexed token, uint256 amount);
    /// @notice A deposit address keeps its money until the next sweep.
    event SweepFailed(address indexed deposit, address indexed token);

    /// @notice A factory needs a treasury.
    error TreasuryMissing();
    /// @notice This address has no code, or does not say what an account holds.
    error NotAToken(address token);

    /// @notice Where everything goes that this factory sweeps.
    /// @return The treasury, which can never change.
    address payable public immutable TREASURY;
    /// @notice The hash of the code that is deployed at every deposit address.
    /// @return keccak256 of the forwarder's init code.
    bytes32 public immutable FORWARDER_INIT_CODE_HASH;

    /// @param treasury Gets all deposits, for ever.
    constructor(address payable treasury) {
        if (treasury == address(0)) revert TreasuryMissing();
        TREASURY = treasury;
        FORWARDER_INIT_CODE_HASH = keccak256(type(Forwarder).creationCode);
    }

    /// @notice The address that belongs to `salt`, whether or not anything is deployed there yet: the last 20 bytes of
    /// keccak256(0xff, this factory, salt, hash of the init code), as CREATE2 (EIP-1014) makes it.
    /// @param salt Which deposit it is: the hash of a payment's id.
    /// @return deposit Its address, the same on every chain.
    function depositAddress(bytes32 salt) public view returns (address deposit) {
        bytes32 initCodeHash = FORWARDER_INIT_CODE_HASH;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, or(shl(160, 0xff), address())) // From byte 11 of the word.
            mstore(add(free, 32), salt)
            mstore(add(free, 64), initCodeHash)
            deposit := and(keccak256(add(free, 11), 85), 0xffffffffffffffffffffffffffffffffffffffff)
        }
    }

    /// @notice Sends all of `token` (0: the chain's own coin) at the addresses of `salts` to the treasury. An empty address is
    /// skipped before anything is deployed, so empty and repeated salts cost next to nothing. An item that fails emits
    /// SweepFailed, keeps its money for the next sweep and stops no other.
    /// @param salts Of the deposit addresses.
    /// @param token The contract of the token; 0 for the chain's own coin.
    function sweep(bytes32[] calldata salts, address token) external {
        if (token != address(0) && token.code.length == 0) revert NotAToken(token);
        bytes memory initCode = type(Forwarder).creationCode;
        for (uint256 i = 0; i < salts.length; ++i) {
            address deposit = depositAddress(salts[i]);
            (bool known, uint256 amount) = balanceOf(deposit, token);
            if (known && amount == 0) continue;
            if (known && deployed(deposit, salts[i], initCode) && forward(deposit, token, amount)) {
                emit Swept(deposit, token, amount);
            } else {
                emit SweepFailed(deposit, token);
            }
        }
    }

    /// @notice The balances that are not zero, with the indexes of their accounts in the argument.
    /// @param accounts Whose balances are asked for.
    /// @param token The contract of the token; 0 for the chain's own coin.
    /// @return nonZero The index and balance of each account that holds any.
    function balancesOf(address[] calldata accounts, address token) external view returns (Balance[] memory nonZero) {
        if (token != address(0) && token.code.length == 0) revert NotAToken(token);
        nonZero = new Balance[](accounts.length);
        uint256 found = 0;
        for (uint256 i = 0; i < accounts.length; ++i) {
            (bool known, uint256 balance) = balanceOf(accounts[i], token);
            if (!known) revert NotAToken(token);
            if (balance != 0) nonZero[found++] = Balance(i, balance);
        }
        assembly ("memory-safe") {
            mstore(nonZero, found) // Shorter than allocated.
        }
    }

    /// `known` is false when the token reverts or does not return a word.
    function balanceOf(address account, address token) private view returns (bool known, uint256 amount) {
        if (token == address(0)) return (true, account.balance);
        assembly ("memory-safe") {
            mstore(0, 0x70a08231) // balanceOf(address), from byte 28
            mstore(32, account)
            known := staticcall(gas(), token, 28, 36, 0, 32)
            known := and(known, gt(returndatasize(), 31))
            amount := mload(0)
        }
    }

    function deployed(address deposit, bytes32 salt, bytes memory initCode) private returns (bool) {
        if (deposit.code.length != 0) return true;
        address made;
        assembly ("memory-safe") {
            made := create2(0, add(initCode, 32), mload(initCode), salt)
        }
        return made == deposit;
    }

    /// Never copies the forwarder's return data; the forwarder has judged the token's answer itself.
    function forward(address deposit, address token, uint256 amount) private returns (bool ok) {
        assembly ("memory-safe") {
            mstore(0, token)
            mstore(32, amount)
            ok := call(gas(), deposit, 0, 0, 64, 0, 0)
        }
    }
}
