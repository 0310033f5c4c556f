// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Pays several at once
/// @notice Sends the chain's coin on to others, as exchanges and wallets that are contracts do: what arrives is an internal transfer,
/// which no log tells of.
/// @custom:security-contact See "Report a vulnerability" in the README of Kasi.
contract Disperse {
    /// @notice A recipient took nothing.
    error Refused(address recipient);

    /// @notice Sends each recipient their amount, in this order.
    /// @param recipients Who gets something; the same one may be named more than once.
    /// @param amounts How much each of them gets, in wei; together all that came with the call.
    function pay(address payable[] calldata recipients, uint256[] calldata amounts) external payable {
        for (uint256 i = 0; i < recipients.length; ++i) {
            (bool sent, ) = recipients[i].call{value: amounts[i]}("");
            if (!sent) revert Refused(recipients[i]);
        }
    }
}
