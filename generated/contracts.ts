// Written by `npm run generate` from src/chains/evm/contracts; never edited.

export const depositFactory = {
  abi: [
    {
      "inputs": [
        {
          "internalType": "address payable",
          "name": "treasury",
          "type": "address"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "constructor"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "token",
          "type": "address"
        }
      ],
      "name": "NotAToken",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "TreasuryMissing",
      "type": "error"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "deposit",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "token",
          "type": "address"
        }
      ],
      "name": "SweepFailed",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "deposit",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "token",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "Swept",
      "type": "event"
    },
    {
      "inputs": [],
      "name": "FORWARDER_INIT_CODE_HASH",
      "outputs": [
        {
          "internalType": "bytes32",
          "name": "",
          "type": "bytes32"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "TREASURY",
      "outputs": [
        {
          "internalType": "address payable",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address[]",
          "name": "accounts",
          "type": "address[]"
        },
        {
          "internalType": "address",
          "name": "token",
          "type": "address"
        }
      ],
      "name": "balancesOf",
      "outputs": [
        {
          "components": [
            {
              "internalType": "uint256",
              "name": "index",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "balance",
              "type": "uint256"
            }
          ],
          "internalType": "struct DepositFactory.Balance[]",
          "name": "nonZero",
          "type": "tuple[]"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "salt",
          "type": "bytes32"
        }
      ],
      "name": "depositAddress",
      "outputs": [
        {
          "internalType": "address",
          "name": "deposit",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32[]",
          "name": "salts",
          "type": "bytes32[]"
        },
        {
          "internalType": "address",
          "name": "token",
          "type": "address"
        }
      ],
      "name": "sweep",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    }
  ],
  bytecode:
    '0x60c06040523461009c576108d16020813803918261001c816100a0565b93849283398101031261009c57516001600160a01b03811680820361009c571561008d57608052610130610052602082016100a0565b81815260208101916107a1833951902060a0526040516106c790816100da823960805181610261015260a0518181816101f901526104d30152f35b633b289af560e11b5f5260045ffd5b5f80fd5b6040519190601f01601f191682016001600160401b038111838210176100c557604052565b634e487b7160e01b5f52604160045260245ffdfe60806040526004361015610011575f80fd5b5f3560e01c8063177a3f17146102905780632d2c55651461024c57806331eecaf41461021c578063928cfec6146101e25763f46b80ca14610050575f80fd5b346101a35761005e366103d6565b916001600160a01b03831690811515806101d9575b6101c6576100886100838461050a565b610472565b83815293601f196100988561050a565b015f5b8181106101a75750505f935f5b81811061010357868681526040518091602082016020835281518091526020604084019201905f5b8181106100de575050500390f35b82518051855260209081015181860152869550604090940193909201916001016100d0565b61010e818386610498565b356001600160a01b03811681036101a3578361012991610536565b9015610190578061013e575b506001016100a8565b959061014861043e565b968188526020880152815f19811461017c576001928361017592019861016e828c610522565b5289610522565b5090610135565b634e487b7160e01b5f52601160045260245ffd5b8563f0ae59ab60e01b5f5260045260245ffd5b5f80fd5b6020906101b261043e565b5f81525f8382015282828a0101520161009b565b5063f0ae59ab60e01b5f5260045260245ffd5b50833b15610073565b346101a3575f3660031901126101a35760206040517f00000000000000000000000000000000000000000000000000000000000000008152f35b346101a35760203660031901126101a357602061023a6004356104bc565b6040516001600160a01b039091168152f35b346101a3575f3660031901126101a3576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b346101a35761029e366103d6565b91906001600160a01b03831690811515806103cd575b6101c6576101306102c760208201610472565b9080825261059760208301395f5b8281106102de57005b80846102f66102f0600194878a610498565b356104bc565b6103008982610536565b919080806103c5575b6103bc57806103a0575b8061038a575b156103585760207f7b09c29f9106defeccc9ac3b823f3aad0b470d120e5df7aed033b5c43a4bf71891604051938452868060a01b031692a35b016102d5565b9050838060a01b03167f42cba9ba465c1c4e1024950b5d3d3f29a4e9252cddd6abf394727cc27e2d81345f80a3610352565b50895f52816020525f8060408180855af1610319565b506103b7866103b0868a8d610498565b358361056e565b610313565b50505050610352565b508215610309565b50833b156102b4565b9060406003198301126101a35760043567ffffffffffffffff81116101a35760040182601f820112156101a35780359267ffffffffffffffff84116101a3576020808301928560051b0101116101a35791906024356001600160a01b03811681036101a35790565b604051906040820182811067ffffffffffffffff82111761045e57604052565b634e487b7160e01b5f52604160045260245ffd5b6040519190601f01601f1916820167ffffffffffffffff81118382101761045e57604052565b91908110156104a85760051b0190565b634e487b7160e01b5f52603260045260245ffd5b6040805160ff60a01b3017815260208101929092527f0000000000000000000000000000000000000000000000000000000000000000908201526055600b909101206001600160a01b031690565b67ffffffffffffffff811161045e5760051b60200190565b80518210156104a85760209160051b010190565b906001600160a01b03811615610565576024601c5f926020946370a08231855285525afa601f3d1116905f5190565b50319060019190565b91823b61058e576020815191015ff56001600160a01b0390811691161490565b50505060019056fe60a08060405234609657632d2c556560e01b8152602081600481335afa90811560b4575f91604b575b506001600160a01b0316608052604051607090816100c082396080518160010152f35b905060203d60201160ae575b601f8101601f191682016001600160401b03811183821017609a57602091839160405281010312609657516001600160a01b03811681036096575f6028565b5f80fd5b634e487b7160e01b5f52604160045260245ffd5b503d6057565b6040513d5f823e3d90fdfe7f00000000000000000000000000000000000000000000000000000000000000003615606e575f3580156059576044601c5f809360209563a9059cbb8352865285356040525af160015f51143d15171615605557005b5f80fd5b505f80808047808252855af11560555760205fa15b0060a08060405234609657632d2c556560e01b8152602081600481335afa90811560b4575f91604b575b506001600160a01b0316608052604051607090816100c082396080518160010152f35b905060203d60201160ae575b601f8101601f191682016001600160401b03811183821017609a57602091839160405281010312609657516001600160a01b03811681036096575f6028565b5f80fd5b634e487b7160e01b5f52604160045260245ffd5b503d6057565b6040513d5f823e3d90fdfe7f00000000000000000000000000000000000000000000000000000000000000003615606e575f3580156059576044601c5f809360209563a9059cbb8352865285356040525af160015f51143d15171615605557005b5f80fd5b505f80808047808252855af11560555760205fa15b00',
  runtimeBytes: 1735,
} as const;

export const forwarder = {
  abi: [
    {
      "inputs": [],
      "stateMutability": "nonpayable",
      "type": "constructor"
    },
    {
      "stateMutability": "payable",
      "type": "fallback"
    }
  ],
  bytecode:
    '0x60a08060405234609657632d2c556560e01b8152602081600481335afa90811560b4575f91604b575b506001600160a01b0316608052604051607090816100c082396080518160010152f35b905060203d60201160ae575b601f8101601f191682016001600160401b03811183821017609a57602091839160405281010312609657516001600160a01b03811681036096575f6028565b5f80fd5b634e487b7160e01b5f52604160045260245ffd5b503d6057565b6040513d5f823e3d90fdfe7f00000000000000000000000000000000000000000000000000000000000000003615606e575f3580156059576044601c5f809360209563a9059cbb8352865285356040525af160015f51143d15171615605557005b5f80fd5b505f80808047808252855af11560555760205fa15b00',
  runtimeBytes: 112,
} as const;

export const subscriptionCollector = {
  abi: [
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "treasury",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "owner_",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "operator_",
          "type": "address"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "constructor"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "target",
          "type": "address"
        }
      ],
      "name": "AddressEmptyCode",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "AddressMissing",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "EnforcedPause",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "ExpectedPause",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "FailedCall",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "InvalidMandate",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "InvalidShortString",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "InvalidSignature",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "NotOperator",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "NotPayer",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "owner",
          "type": "address"
        }
      ],
      "name": "OwnableInvalidOwner",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "OwnableUnauthorizedAccount",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "OwnerNeeded",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "ReentrancyGuardReentrantCall",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "enum Mandates.Reason",
          "name": "reason",
          "type": "uint8"
        }
      ],
      "name": "Refused",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "string",
          "name": "str",
          "type": "string"
        }
      ],
      "name": "StringTooLong",
      "type": "error"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "payer",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "ref",
          "type": "bytes32"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "payer",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "uint128",
              "name": "maxPerPeriod",
              "type": "uint128"
            },
            {
              "internalType": "uint48",
              "name": "period",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "start",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "end",
              "type": "uint48"
            },
            {
              "internalType": "uint8",
              "name": "carry",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "ref",
              "type": "bytes32"
            }
          ],
          "indexed": false,
          "internalType": "struct Mandates.Mandate",
          "name": "mandate",
          "type": "tuple"
        }
      ],
      "name": "Authorized",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        },
        {
          "indexed": true,
          "internalType": "uint32",
          "name": "number",
          "type": "uint32"
        },
        {
          "indexed": false,
          "internalType": "enum Mandates.Reason",
          "name": "reason",
          "type": "uint8"
        }
      ],
      "name": "CollectFailed",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        },
        {
          "indexed": true,
          "internalType": "uint32",
          "name": "number",
          "type": "uint32"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "payer",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "Collected",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [],
      "name": "EIP712DomainChanged",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "operator",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "proposed",
          "type": "address"
        }
      ],
      "name": "OperatorProposed",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "previous",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "operator",
          "type": "address"
        }
      ],
      "name": "OperatorReplaced",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "previousOwner",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "newOwner",
          "type": "address"
        }
      ],
      "name": "OwnershipTransferStarted",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "previousOwner",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "newOwner",
          "type": "address"
        }
      ],
      "name": "OwnershipTransferred",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": false,
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "Paused",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "payer",
          "type": "address"
        }
      ],
      "name": "Revoked",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": false,
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "Unpaused",
      "type": "event"
    },
    {
      "inputs": [],
      "name": "TREASURY",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "acceptOperator",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "acceptOwnership",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "payer",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "uint128",
              "name": "maxPerPeriod",
              "type": "uint128"
            },
            {
              "internalType": "uint48",
              "name": "period",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "start",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "end",
              "type": "uint48"
            },
            {
              "internalType": "uint8",
              "name": "carry",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "ref",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Mandates.Mandate",
          "name": "m",
          "type": "tuple"
        }
      ],
      "name": "authorize",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "payer",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "uint128",
              "name": "maxPerPeriod",
              "type": "uint128"
            },
            {
              "internalType": "uint48",
              "name": "period",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "start",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "end",
              "type": "uint48"
            },
            {
              "internalType": "uint8",
              "name": "carry",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "ref",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Mandates.Mandate",
          "name": "m",
          "type": "tuple"
        },
        {
          "internalType": "bytes",
          "name": "signature",
          "type": "bytes"
        }
      ],
      "name": "authorizeBySig",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "payer",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "uint128",
              "name": "maxPerPeriod",
              "type": "uint128"
            },
            {
              "internalType": "uint48",
              "name": "period",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "start",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "end",
              "type": "uint48"
            },
            {
              "internalType": "uint8",
              "name": "carry",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "ref",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Mandates.Mandate",
          "name": "m",
          "type": "tuple"
        },
        {
          "internalType": "bytes",
          "name": "signature",
          "type": "bytes"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "deadline",
          "type": "uint256"
        },
        {
          "internalType": "uint8",
          "name": "v",
          "type": "uint8"
        },
        {
          "internalType": "bytes32",
          "name": "r",
          "type": "bytes32"
        },
        {
          "internalType": "bytes32",
          "name": "s",
          "type": "bytes32"
        }
      ],
      "name": "authorizeWithPermit",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "payer",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "uint128",
              "name": "maxPerPeriod",
              "type": "uint128"
            },
            {
              "internalType": "uint48",
              "name": "period",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "start",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "end",
              "type": "uint48"
            },
            {
              "internalType": "uint8",
              "name": "carry",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "ref",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Mandates.Mandate",
          "name": "m",
          "type": "tuple"
        }
      ],
      "name": "chargeable",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "available",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "nextWindowAt",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "payer",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "uint128",
              "name": "maxPerPeriod",
              "type": "uint128"
            },
            {
              "internalType": "uint48",
              "name": "period",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "start",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "end",
              "type": "uint48"
            },
            {
              "internalType": "uint8",
              "name": "carry",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "ref",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Mandates.Mandate",
          "name": "m",
          "type": "tuple"
        },
        {
          "internalType": "uint128",
          "name": "amount",
          "type": "uint128"
        },
        {
          "internalType": "uint32",
          "name": "number",
          "type": "uint32"
        }
      ],
      "name": "collect",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "components": [
                {
                  "internalType": "address",
                  "name": "payer",
                  "type": "address"
                },
                {
                  "internalType": "address",
                  "name": "token",
                  "type": "address"
                },
                {
                  "internalType": "uint128",
                  "name": "maxPerPeriod",
                  "type": "uint128"
                },
                {
                  "internalType": "uint48",
                  "name": "period",
                  "type": "uint48"
                },
                {
                  "internalType": "uint48",
                  "name": "start",
                  "type": "uint48"
                },
                {
                  "internalType": "uint48",
                  "name": "end",
                  "type": "uint48"
                },
                {
                  "internalType": "uint8",
                  "name": "carry",
                  "type": "uint8"
                },
                {
                  "internalType": "bytes32",
                  "name": "ref",
                  "type": "bytes32"
                }
              ],
              "internalType": "struct Mandates.Mandate",
              "name": "mandate",
              "type": "tuple"
            },
            {
              "internalType": "uint128",
              "name": "amount",
              "type": "uint128"
            },
            {
              "internalType": "uint32",
              "name": "number",
              "type": "uint32"
            }
          ],
          "internalType": "struct SubscriptionCollector.Charge[]",
          "name": "charges",
          "type": "tuple[]"
        }
      ],
      "name": "collectMany",
      "outputs": [
        {
          "internalType": "enum Mandates.Reason[]",
          "name": "reasons",
          "type": "uint8[]"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "eip712Domain",
      "outputs": [
        {
          "internalType": "bytes1",
          "name": "fields",
          "type": "bytes1"
        },
        {
          "internalType": "string",
          "name": "name",
          "type": "string"
        },
        {
          "internalType": "string",
          "name": "version",
          "type": "string"
        },
        {
          "internalType": "uint256",
          "name": "chainId",
          "type": "uint256"
        },
        {
          "internalType": "address",
          "name": "verifyingContract",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "salt",
          "type": "bytes32"
        },
        {
          "internalType": "uint256[]",
          "name": "extensions",
          "type": "uint256[]"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "payer",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "uint128",
              "name": "maxPerPeriod",
              "type": "uint128"
            },
            {
              "internalType": "uint48",
              "name": "period",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "start",
              "type": "uint48"
            },
            {
              "internalType": "uint48",
              "name": "end",
              "type": "uint48"
            },
            {
              "internalType": "uint8",
              "name": "carry",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "ref",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Mandates.Mandate",
          "name": "m",
          "type": "tuple"
        }
      ],
      "name": "mandateId",
      "outputs": [
        {
          "internalType": "bytes32",
          "name": "",
          "type": "bytes32"
        }
      ],
      "stateMutability": "pure",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "bytes[]",
          "name": "data",
          "type": "bytes[]"
        }
      ],
      "name": "multicall",
      "outputs": [
        {
          "internalType": "bytes[]",
          "name": "results",
          "type": "bytes[]"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "operator",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "owner",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "pause",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "paused",
      "outputs": [
        {
          "internalType": "bool",
          "name": "",
          "type": "bool"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "pendingOwner",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "proposed",
          "type": "address"
        }
      ],
      "name": "proposeOperator",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "proposedOperator",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "renounceOwnership",
      "outputs": [],
      "stateMutability": "pure",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        }
      ],
      "name": "revoke",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "payer",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        },
        {
          "internalType": "bytes",
          "name": "signature",
          "type": "bytes"
        }
      ],
      "name": "revokeBySig",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "payer",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        }
      ],
      "name": "state",
      "outputs": [
        {
          "internalType": "enum Mandates.Status",
          "name": "status",
          "type": "uint8"
        },
        {
          "internalType": "uint32",
          "name": "window",
          "type": "uint32"
        },
        {
          "internalType": "uint32",
          "name": "lastNumber",
          "type": "uint32"
        },
        {
          "internalType": "uint128",
          "name": "available",
          "type": "uint128"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "newOwner",
          "type": "address"
        }
      ],
      "name": "transferOwnership",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "unpause",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    }
  ],
  bytecode:
    '0x610180806040523461027b5760608161244a8038038091610020828561027f565b83398101031261027b57610033816102b6565b9061004c6040610045602084016102b6565b92016102b6565b9060405161005b60408261027f565b601281526020810190714b61736920537562736372697074696f6e7360701b82526040519161008b60408461027f565b600183526020830191603160f81b83526100a4816102ca565b610120526100b1846102ca565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a0815261011a60c08261027f565b5190206080523060c0526001600160a01b031691821561026857600480546001600160a01b0319908116909155600380549182168517905560405193906001600160a01b03167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a36001600160a01b038116158015610257575b6102485761016052600580546001600160a01b0319166001600160a01b039290921691821790555f7f97d2178e7e9ad7c7ebe8b2764d5eaaea92ac94e92f155b74f6d22b231ccd27668180a36121149081610336823960805181611f51015260a05181612008015260c05181611f1b015260e05181611fa001526101005181611fc6015261012051816107430152610140518161076d015261016051818181610d320152818161166e015261192a0152f35b638ae08a4b60e01b5f5260045ffd5b506001600160a01b03821615610196565b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b601f909101601f19168101906001600160401b038211908210176102a257604052565b634e487b7160e01b5f52604160045260245ffd5b51906001600160a01b038216820361027b57565b601f8151116102f55760208151910151602082106102e6571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f905f3560e01c90816312da608c14610e22575080631661f53014610db65780632a8eb51014610d615780632d2c556514610d1d5780632f3c244914610cf55780633b14b6c414610cd15780633f4ba83a14610c6357806340c534e614610ba9578063493cb9af14610a86578063570ca73514610a5d5780635c975abb14610a37578063685dcf371461092b578063715018a61461090b57806379ba5097146108885780638456cb591461082557806384b0196e146107295780638da5cb5b1461070057806399b41bbc146106d65780639bdd755b1461049d5780639c2ab97114610449578063ac9650d814610284578063b75c7dc61461024b578063e30c397814610222578063f2fde38b146101b45763fcad444814610131575f80fd5b346101b157806003193601126101b1576006546001600160a01b038116330361019e57600554336001600160a01b0382167f97d2178e7e9ad7c7ebe8b2764d5eaaea92ac94e92f155b74f6d22b231ccd27668580a36001600160a01b031990811633176005551660065580f35b633b63649d60e11b825233600452602482fd5b80fd5b50346101b15760203660031901126101b1576101ce610eb5565b6101d6611325565b600480546001600160a01b0319166001600160a01b039283169081179091556003549091167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227008380a380f35b50346101b157806003193601126101b1576004546040516001600160a01b039091168152602090f35b50346101b15760203660031901126101b15761026561134c565b6102716004353361147b565b805f5160206120f45f395f51905f525d80f35b50346101b15760203660031901126101b15760043567ffffffffffffffff8111610445573660238201121561044557806004013567ffffffffffffffff8111610441573660248260051b84010111610441579060206040516102e68282611035565b84815281810191601f1981013684376102fe856110f9565b9361030c6040519586611035565b858552601f1961031b876110f9565b01875b818110610432575050368190036042190190875b878110156103d35760248160051b83010135838112156103cf5782019060248201359167ffffffffffffffff83116103cb5760440182360381136103cb57826103a96103af928d898c6001986040519687958487013784018281018481528e519283915e010190815203601f198101835282611035565b30611d30565b6103b9828a6112f0565b526103c481896112f0565b5001610332565b8a80fd5b8980fd5b83898860405191838301848452825180915260408401948060408360051b870101940192955b8287106104065785850386f35b909192938280610422600193603f198a82030186528851610f0d565b96019201960195929190926103f9565b6060878201850152830161031e565b8280fd5b5080fd5b50346101b1576101003660031901126101b15761046461134c565b6001600160a01b036104746110b9565b16330361048b57610271610486611057565b611b27565b6246932b60e61b815233600452602490fd5b50346101b15760203660031901126101b15760043567ffffffffffffffff811161044557366023820112156104455780600401359067ffffffffffffffff821161044157366024610140840283010111610441576005546001600160a01b031633036106c35761050b6114e5565b61051361134c565b61051c826110f9565b9061052a6040519283611035565b828252610536836110f9565b6020830190601f1901368237845b84811015610663576101408102830160248101610124820161057e61014461056b836112cb565b940193610577856112df565b90846117e6565b93600a85101561064f5760019594939291908461060557602063ffffffff6105d86105d26105cc7f3645e940fe4f0e38cd0192818b2453233f3daccf6db88dc9fe1880b2e60d6f02956112df565b976110e5565b956112cb565b946001600160801b0360405196168652898060a01b0316951693a45b6105fe82876112f0565b5201610544565b61061791935063ffffffff92506112df565b16907f7903c6aa67a06799842e89ecfa7e74a9ee4a6fb14320f4be853c43b1a99aaa9f60206040516106498187610f31565ba36105f4565b634e487b7160e01b8b52602160045260248bfd5b5091925050825f5160206120f45f395f51905f525d604051928392602084019060208552518091526040840192915b8181106106a0575050500390f35b91935091602080826106b56001948851610f31565b019401910191849392610692565b633b63649d60e11b835233600452602483fd5b50346101b1576101003660031901126101b1575060406106f4611158565b82519182526020820152f35b50346101b157806003193601126101b1576003546040516001600160a01b039091168152602090f35b50346101b157806003193601126101b1576107c9906107677f0000000000000000000000000000000000000000000000000000000000000000611ea1565b906107917f0000000000000000000000000000000000000000000000000000000000000000611ea1565b9060206107d7604051936107a58386611035565b8385525f368137604051968796600f60f81b885260e08589015260e0880190610f0d565b908682036040880152610f0d565b904660608601523060808601528260a086015284820360c08601528080855193848152019401925b82811061080e57505050500390f35b8351855286955093810193928101926001016107ff565b50346101b157806003193601126101b15761083e611325565b6108466114e5565b6004805460ff60a01b1916600160a01b1790556040513381527f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a25890602090a180f35b50346101b157806003193601126101b157600454336001600160a01b038216036108f8576001600160a01b0319908116600455600380543392811683179091556001600160a01b03167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e08380a380f35b63118cdaa760e01b825233600452602482fd5b50346101b157806003193601126101b15763017ed72b60e01b8152600490fd5b50346101b1573660031901610140811261044557610100136101b157610104356001600160801b03811690818103610441576101243563ffffffff811691828203610a33576005546001600160a01b03163303610a20579061099c9161098f6114e5565b61099761134c565b611503565b600a811015610a0c57806109fa57507f3645e940fe4f0e38cd0192818b2453233f3daccf6db88dc9fe1880b2e60d6f0260206001600160a01b036109de6110b9565b1694604051908152a4805f5160206120f45f395f51905f525d80f35b632f56b7fb60e21b8552600452602484fd5b634e487b7160e01b85526021600452602485fd5b633b63649d60e11b855233600452602485fd5b8480fd5b50346101b157806003193601126101b157602060ff60045460a01c166040519015158152f35b50346101b157806003193601126101b1576005546040516001600160a01b039091168152602090f35b5034610ba55736600319016101c08112610ba55761010013610ba5576101043567ffffffffffffffff8111610ba557610ac3903690600401610edf565b91906101643560ff8116809103610ba557610adc61134c565b610ae46110cf565b3b610b0a575b506104866102719293610afb611057565b9283610b056110b9565b611381565b6001600160a01b03610b1a6110cf565b1690610b246110b9565b90823b15610ba55760405163d505accf60e01b81526001600160a01b03909216600483015230602483015261012435604483015261014435606483015260848201526101843560a48201526101a43560c4820152905f90829060e490829084905af115610aea5761027192505f610b9a91611035565b6104865f9250610aea565b5f80fd5b34610ba5576060366003190112610ba557610bc2610eb5565b6024356044359167ffffffffffffffff8311610ba557610c4c610bec610c51943690600401610edf565b90610bf561134c565b60405160208101907fd2dd97db3d59d0bf8a3cdf8fcdea6dffcd8bcb461d231b966e8246294792ad1e825260018060a01b038616604082015286606082015260608152610c43608082611035565b51902084611381565b61147b565b5f5f5160206120f45f395f51905f525d005b34610ba5575f366003190112610ba557610c7b611325565b60045460ff8160a01c1615610cc25760ff60a01b19166004556040513381527f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa90602090a1005b638dfc202b60e01b5f5260045ffd5b34610ba557610100366003190112610ba5576020610ced611057565b604051908152f35b34610ba5575f366003190112610ba5576006546040516001600160a01b039091168152602090f35b34610ba5575f366003190112610ba5576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b34610ba55736600319016101208112610ba55761010013610ba5576101043567ffffffffffffffff8111610ba557610486610da3610c51923690600401610edf565b610dae92919261134c565b610afb611057565b34610ba5576020366003190112610ba557610dcf610eb5565b610dd7611325565b600680546001600160a01b0319166001600160a01b039283169081179091556005549091167f39bc7a26a02e2b6dddbaf5b7f8e48855928d7a2dbeeccee9a9ddbf52980bc28c5f80a3005b34610ba5576040366003190112610ba5576001600160a01b03610e43610eb5565b165f52600260205260405f206024355f5260205260405f20549060ff82166003811015610ea1576080926001600160801b0391835263ffffffff8160081c16602084015263ffffffff8160281c16604084015260481c166060820152f35b634e487b7160e01b5f52602160045260245ffd5b600435906001600160a01b0382168203610ba557565b35906001600160a01b0382168203610ba557565b9181601f84011215610ba55782359167ffffffffffffffff8311610ba55760208381860195010111610ba557565b805180835260209291819084018484015e5f828201840152601f01601f1916010190565b90600a821015610ea15752565b359065ffffffffffff82168203610ba557565b6001600160a01b03610f6282610ecb565b1682526001600160a01b03610f7960208301610ecb565b16602083015260408101356001600160801b038116809103610ba557604083015265ffffffffffff610fad60608301610f3e565b16606083015265ffffffffffff610fc660808301610f3e565b16608083015265ffffffffffff610fdf60a08301610f3e565b1660a083015260c081013560ff8116809103610ba55760c083015260e090810135910152565b6080810190811067ffffffffffffffff82111761102157604052565b634e487b7160e01b5f52604160045260245ffd5b90601f8019910116810190811067ffffffffffffffff82111761102157604052565b60405160208101905f5160206120d45f395f51905f52825261107d604082016004610f51565b610120815261108e61014082611035565b51902090565b60405161107d60208201925f5160206120d45f395f51905f5284526040830190610f51565b6004356001600160a01b0381168103610ba55790565b6024356001600160a01b0381168103610ba55790565b356001600160a01b0381168103610ba55790565b67ffffffffffffffff81116110215760051b60200190565b3565ffffffffffff81168103610ba55790565b8181029291811591840414171561113757565b634e487b7160e01b5f52601160045260245ffd5b9190820180921161113757565b6004356001600160a01b03811690818103610ba557505f52600260205260405f2060405160208101905f5160206120d45f395f51905f52825261119f604082016004610f51565b61012081526111b061014082611035565b5190205f5260205260405f2090604051916111ca83611005565b5460ff81166003811015610ea1576001600160801b0360019282865263ffffffff8160081c16602087015263ffffffff8160281c16604087015260481c166060850152148015906112ad575b6112a65760843565ffffffffffff8116808214159384610ba55781421061129d57611242906004611a60565b92909294610ba557506064359165ffffffffffff8316808403610ba55763ffffffff61127392611279955016611124565b9061114b565b9060a43565ffffffffffff811690818103610ba5575082101561129857565b5f9150565b509250505f9190565b5f91508190565b5060a43565ffffffffffff811690818103610ba55750421015611216565b356001600160801b0381168103610ba55790565b3563ffffffff81168103610ba55790565b80518210156113045760209160051b010190565b634e487b7160e01b5f52603260045260245ffd5b9190820391821161113757565b6003546001600160a01b0316330361133957565b63118cdaa760e01b5f523360045260245ffd5b5f5160206120f45f395f51905f525c6113725760015f5160206120f45f395f51905f525d565b633ee5aeb560e01b5f5260045ffd5b9060429061138d611f18565b906040519161190160f01b835260028301526022820152206113b0848483611dbc565b506004811015610ea15715908161144d575b5061144757813b151592836113ec575b50505090506113ea57638baa579f60e01b5f5260045ffd5b565b5f93508460209560649260405194630b135d3f60e11b8652600486015260406024860152816044860152838501378281018201859052601f01601f191601915afa630b135d3f60e11b5f5114601f3d111616805f80806113d2565b50505050565b6001600160a01b0384811691161490505f6113c2565b906003811015610ea15760ff80198354169116179055565b60018060a01b031690815f52600260205260405f20815f5260205260405f2060ff8154166003811015610ea1576002146114e057805460ff191660021790557f5bc2baf870c5baf189838b5e0b0e3b04a3263e2df5d305d1c15f3e6022f5dc455f80a3565b505050565b60ff60045460a01c166114f457565b63d93c066560e01b5f5260045ffd5b915f9160405160208101905f5160206120d45f395f51905f52825261152c604082016004610f51565b610120815261153d61014082611035565b519020936004359190856001600160a01b038416808503610ba557805f52600260205260405f20825f5260205260405f20946040519561157c87611005565b549360ff8516936003851015610ea157848852602088019463ffffffff8760081c16865263ffffffff8760281c169163ffffffff60408b0199848b526001600160801b0360608d019a60481c168a5216928311156117d55750156117c75787516003811015610ea1576002146117b95760843565ffffffffffff811690818103610ba5575042106117ab5760a43565ffffffffffff811690818103610ba5575042101561179d576001600160801b03611636896004611a60565b919093169181831161178d576024356001600160a01b0381169490858103610ba5576040516323b872dd60e01b5f90815260048a90527f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031660245260448790529660208860648180855af19060015f5114821615611780575b50906040525f60605215611766575063ffffffff16875288526001600160801b03916116e291611318565b168552610ba557505f52600260205260405f20875f5260205260405f2093516003811015610ea1576117149085611463565b519164ffffffff0078ffffffffffffffffffffffffffffffff00000000000000000068ffffffff00000000008654935160281b16935160481b169360081b1690610100600160c81b0319161717179055565b98505050509650509350505061177d939450611df0565b90565b3b15153d1516165f6116b7565b5060069a50505050505050505050565b506005985050505050505050565b506004985050505050505050565b506003985050505050505050565b506002985050505050505050565b9b5060019a50505050505050505050565b92905f926117f385611094565b946001600160a01b03611805826110e5565b165f52600260205260405f20865f5260205260405f20926040519361182985611005565b549160ff8316916003831015610ea157828652602086019263ffffffff8560081c16845263ffffffff8560281c169063ffffffff60408901978389526001600160801b0360608b019860481c1688521691821115611a525715611a455786516003811015610ea157600214611a385765ffffffffffff6118ab60808501611111565b164210611a2b5765ffffffffffff6118c560a08501611111565b16421015611a1e576001600160801b03906118e08885611a60565b9290931692828411611a0f57602085016001600160a01b03611901826110e5565b1661190b876110e5565b6040516323b872dd60e01b5f9081526001600160a01b039283166004527f00000000000000000000000000000000000000000000000000000000000000009092166024526044889052919060209060648180855af19060015f5114821615611a02575b50906040525f606052156119d9575063ffffffff16855286526001600160801b039161199991611318565b1683526001600160a01b03906119ae906110e5565b165f52600260205260405f20875f5260205260405f2093516003811015610ea1576117149085611463565b949750505050945061177d9596506119fc92506119f691506110e5565b916110e5565b90611df0565b3b15153d1516165f61196e565b50600699505050505050505050565b5060059750505050505050565b5060049750505050505050565b5060039750505050505050565b5060029750505050505050565b506001985050505050505050565b9091611a7f65ffffffffffff611a7860808501611111565b1642611318565b65ffffffffffff611a9260608501611111565b16908115611b135704600181018091116111375763ffffffff169263ffffffff60206001600160801b0360608401511692015116840363ffffffff811161113757611b0591611273611aff9263ffffffff6001600160801b03611af760408a016112cb565b169116611124565b92611edf565b808311611b0f5750565b9150565b634e487b7160e01b5f52601260045260245ffd5b6004356001600160a01b03811690818103610ba557815f52600260205260405f20835f5260205260405f2060ff8154166003811015610ea15760018114611d2957600214611d155760a43565ffffffffffff8116808214159182610ba55781421015611d01576024356001600160a01b03811690818103610ba5575015928315611ce2575b8315611cc4575b8315611ca2575b8315611c3d575b5050508015611c24575b611c1557805460ff191660011790555060405191611bea836004610f51565b7f2bae8af81907c26173d2ed035dd1538860fa17909ff82fb43e2c7e758a3ea99961010060e43594a4565b632a2656bf60e11b5f5260045ffd5b506001600160801b03611c376004611edf565b11611bcb565b90919250610ba557506084359065ffffffffffff821691828103610ba557500365ffffffffffff8111611137576064359065ffffffffffff821691828103610ba557508115611b135763ffffffff9165ffffffffffff809216041610155f8080611bc1565b5060843565ffffffffffff81169350838103610ba55750815f93101592611bba565b925060643565ffffffffffff811690818103610ba557501592611bb3565b92506044356001600160801b03811690818103610ba557501592611bac565b632f56b7fb60e21b5f52600560045260245ffd5b632f56b7fb60e21b5f52600360045260245ffd5b5050505050565b905f8091602081519101845af48080611da9575b15611d645750506040513d81523d5f602083013e60203d82010160405290565b15611d8957639996b31560e01b5f9081526001600160a01b0391909116600452602490fd5b3d15611d9a576040513d5f823e3d90fd5b63d6bda27560e01b5f5260045ffd5b503d151580611d445750813b1515611d44565b9060418303611de657611ddf9250602081013591604082359201355f1a9061202e565b9192909190565b50505f9160029190565b6040516370a0823160e01b60208201526001600160a01b03909216602480840182905283529091611e2c90611e26604482611035565b836120bb565b9015611e98578311611e9057611e6c9160405191636eb1769f60e11b6020840152602483015230604483015260448252611e67606483611035565b6120bb565b81929192611e86575b505015611e8157600890565b600990565b1090505f80611e75565b505050600790565b50505050600990565b60ff811690601f8211611ed05760405191611ebd604084611035565b6020808452838101919036833783525290565b632cd44ac360e21b5f5260045ffd5b60c081013560ff8116809103610ba55760018101809111611137576001600160801b03611f11604061177d94016112cb565b1690611124565b307f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03161480612005575b15611f73577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a0815261108e60c082611035565b507f00000000000000000000000000000000000000000000000000000000000000004614611f4a565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084116120b0579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa156120a5575f516001600160a01b0381161561209b57905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b6020915f918382519201905afa601f3d1116905f519056feb6cf284950d5eb0ed3426a19bd0e0e8a0af55cdaf5cde1d5e74cfc42788626339b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00',
  runtimeBytes: 8468,
} as const;

export const testUsdc = {
  abi: [
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "allowance",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "needed",
          "type": "uint256"
        }
      ],
      "name": "ERC20InsufficientAllowance",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "sender",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "balance",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "needed",
          "type": "uint256"
        }
      ],
      "name": "ERC20InsufficientBalance",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "approver",
          "type": "address"
        }
      ],
      "name": "ERC20InvalidApprover",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "receiver",
          "type": "address"
        }
      ],
      "name": "ERC20InvalidReceiver",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "sender",
          "type": "address"
        }
      ],
      "name": "ERC20InvalidSender",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        }
      ],
      "name": "ERC20InvalidSpender",
      "type": "error"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "owner",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "Approval",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "from",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "Transfer",
      "type": "event"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "owner",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        }
      ],
      "name": "allowance",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "approve",
      "outputs": [
        {
          "internalType": "bool",
          "name": "",
          "type": "bool"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "balanceOf",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "decimals",
      "outputs": [
        {
          "internalType": "uint8",
          "name": "",
          "type": "uint8"
        }
      ],
      "stateMutability": "pure",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "mint",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "name",
      "outputs": [
        {
          "internalType": "string",
          "name": "",
          "type": "string"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "symbol",
      "outputs": [
        {
          "internalType": "string",
          "name": "",
          "type": "string"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "totalSupply",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "transfer",
      "outputs": [
        {
          "internalType": "bool",
          "name": "",
          "type": "bool"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "from",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "transferFrom",
      "outputs": [
        {
          "internalType": "bool",
          "name": "",
          "type": "bool"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "function"
    }
  ],
  bytecode:
    '0x60806040523461032d57604080519081016001600160401b03811182821017610235576040908152600d82526c2a32b9ba102aa9a21021b7b4b760991b602083015280519081016001600160401b038111828210176102355760405260048152635553444360e01b602082015281516001600160401b03811161023557600354600181811c91168015610323575b602082101461021757601f81116102b5575b50602092601f821160011461025457928192935f92610249575b50508160011b915f199060031b1c1916176003555b80516001600160401b03811161023557600454600181811c9116801561022b575b602082101461021757601f81116101a9575b50602091601f8211600114610149579181925f9261013e575b50508160011b915f199060031b1c1916176004555b60405161066b90816103328239f35b015190505f8061011a565b601f1982169260045f52805f20915f5b85811061019157508360019510610179575b505050811b0160045561012f565b01515f1960f88460031b161c191690555f808061016b565b91926020600181928685015181550194019201610159565b818111156101015760045f52601f820160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b6020841061020f575b81601f9101920160051c03905f5b828110610202575050610101565b5f828201556001016101f4565b5f91506101e6565b634e487b7160e01b5f52602260045260245ffd5b90607f16906100ef565b634e487b7160e01b5f52604160045260245ffd5b015190505f806100b9565b601f1982169360035f52805f20915f5b86811061029d5750836001959610610285575b505050811b016003556100ce565b01515f1960f88460031b161c191690555f8080610277565b91926020600181928685015181550194019201610264565b8181111561009f5760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b6020841061031b575b81601f9101920160051c03905f5b82811061030e57505061009f565b5f82820155600101610300565b5f91506102f2565b90607f169061008d565b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde031461049c57508063095ea7b31461041a57806318160ddd146103fd57806323b872dd1461031e578063313ce5671461030357806340c10f191461026157806370a082311461022a57806395d89b411461010f578063a9059cbb146100de5763dd62ed3e1461008a575f80fd5b346100da5760403660031901126100da576100a3610595565b6100ab6105ab565b6001600160a01b039182165f908152600160209081526040808320949093168252928352819020549051908152f35b5f80fd5b346100da5760403660031901126100da576101046100fa610595565b60243590336105c1565b602060405160018152f35b346100da575f3660031901126100da576040515f6004548060011c90600181168015610220575b60208310811461020c578285529081156101f0575060011461019b575b50819003601f01601f191681019067ffffffffffffffff821181831017610187576101838291826040528261056b565b0390f35b634e487b7160e01b5f52604160045260245ffd5b905060045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b5f905b8282106101da57506020915082010182610153565b60018160209254838588010152019101906101c5565b90506020925060ff191682840152151560051b82010182610153565b634e487b7160e01b5f52602260045260245ffd5b91607f1691610136565b346100da5760203660031901126100da576001600160a01b0361024b610595565b165f525f602052602060405f2054604051908152f35b346100da5760403660031901126100da5761027a610595565b6001600160a01b031660243581156102f057600254908082018092116102dc5760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f9360025584845283825260408420818154019055604051908152a3005b634e487b7160e01b5f52601160045260245ffd5b63ec442f0560e01b5f525f60045260245ffd5b346100da575f3660031901126100da57602060405160068152f35b346100da5760603660031901126100da57610337610595565b61033f6105ab565b6001600160a01b0382165f818152600160209081526040808320338452909152902054909260443592915f19811061037d575b5061010493506105c1565b8381106103e25784156103cf5733156103bc57610104945f52600160205260405f2060018060a01b0333165f526020528360405f209103905584610372565b634a1406b160e11b5f525f60045260245ffd5b63e602df0560e01b5f525f60045260245ffd5b8390637dc7a0d960e11b5f523360045260245260445260645ffd5b346100da575f3660031901126100da576020600254604051908152f35b346100da5760403660031901126100da57610433610595565b6024359033156103cf576001600160a01b03169081156103bc57335f52600160205260405f20825f526020528060405f20556040519081527f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560203392a3602060405160018152f35b346100da575f3660031901126100da575f6003548060011c90600181168015610561575b60208310811461020c578285529081156101f0575060011461050c5750819003601f01601f191681019067ffffffffffffffff821181831017610187576101838291826040528261056b565b905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b5f905b82821061054b57506020915082010182610153565b6001816020925483858801015201910190610536565b91607f16916104c0565b602060409281835280519182918282860152018484015e5f828201840152601f01601f1916010190565b600435906001600160a01b03821682036100da57565b602435906001600160a01b03821682036100da57565b6001600160a01b0316908115610658576001600160a01b03169182156102f057815f525f60205260405f205481811061063f57817fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef92602092855f525f84520360405f2055845f525f825260405f20818154019055604051908152a3565b8263391434e360e21b5f5260045260245260445260645ffd5b634b637e8f60e11b5f525f60045260245ffd',
  runtimeBytes: 1643,
} as const;

export const testUsdt = {
  abi: [
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "allowed",
          "type": "uint256"
        }
      ],
      "name": "AllowanceNotZero",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "allowed",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "needed",
          "type": "uint256"
        }
      ],
      "name": "AllowanceTooLow",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "balance",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "needed",
          "type": "uint256"
        }
      ],
      "name": "BalanceTooLow",
      "type": "error"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "owner",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "Approval",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "from",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "Transfer",
      "type": "event"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "owner",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        }
      ],
      "name": "allowance",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "approve",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "balanceOf",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "decimals",
      "outputs": [
        {
          "internalType": "uint8",
          "name": "",
          "type": "uint8"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "mint",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "name",
      "outputs": [
        {
          "internalType": "string",
          "name": "",
          "type": "string"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "symbol",
      "outputs": [
        {
          "internalType": "string",
          "name": "",
          "type": "string"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "totalSupply",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "transfer",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "from",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "transferFrom",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    }
  ],
  bytecode:
    '0x60808060405234601557610544908161001a8239f35b5f80fdfe60806040526004361015610011575f80fd5b5f3560e01c806306fdde03146103ca578063095ea7b3146102fe57806318160ddd146102e257806323b872dd14610235578063313ce5671461021a57806340c10f19146101a257806370a082311461016a57806395d89b4114610103578063a9059cbb146100db5763dd62ed3e14610087575f80fd5b346100d75760403660031901126100d7576100a061044a565b6100a8610460565b6001600160a01b039182165f908152600260209081526040808320949093168252928352819020549051908152f35b5f80fd5b346100d75760403660031901126100d7576101016100f761044a565b60243590336104a4565b005b346100d7575f3660031901126100d757604051604081019080821067ffffffffffffffff831117610156576101529160405260048152631554d11560e21b602082015260405191829182610420565b0390f35b634e487b7160e01b5f52604160045260245ffd5b346100d75760203660031901126100d7576001600160a01b0361018b61044a565b165f526001602052602060405f2054604051908152f35b346100d75760403660031901126100d7576101bb61044a565b5f7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef6020602435936101ee858554610497565b845560018060a01b031693848452600182526040842061020f828254610497565b9055604051908152a3005b346100d7575f3660031901126100d757602060405160068152f35b346100d75760603660031901126100d75761024e61044a565b610256610460565b6001600160a01b0382165f8181526002602090815260408083203384529091529020549260443592918385106102c75761010194846001820161029c575b5050506104a4565b6102a591610476565b5f91825260026020908152604080842033855290915290912055848084610294565b8385634eabd6f760e01b5f523360045260245260445260645ffd5b346100d7575f3660031901126100d75760205f54604051908152f35b346100d75760403660031901126100d75761031761044a565b60243590335f52600260205260405f2060018060a01b0382165f5260205260405f2054821515806103c1575b61039f5750335f52600260205260405f2060018060a01b0382165f526020528160405f205560405191825260018060a01b0316907f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560203392a3005b6354e33a8560e11b5f9081526001600160a01b03909216600452602452604490fd5b50801515610343565b346100d7575f3660031901126100d757604051604081019080821067ffffffffffffffff8311176101565761015291604052600f81526e15195cdd0815195d1a195c881554d1608a1b6020820152604051918291825b602060409281835280519182918282860152018484015e5f828201840152601f01601f1916010190565b600435906001600160a01b03821682036100d757565b602435906001600160a01b03821682036100d757565b9190820391821161048357565b634e487b7160e01b5f52601160045260245ffd5b9190820180921161048357565b6001600160a01b03165f81815260016020526040902054909190838110610529577fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef916104f385602093610476565b845f526001835260405f205560018060a01b031693845f526001825260405f2061051e828254610497565b9055604051908152a3565b9190506359f04ff760e11b5f5260045260245260445260645ffd',
  runtimeBytes: 1348,
} as const;

/** keccak256 of the forwarder's init code: a deposit address follows from it, the factory's address and the salt. */
export const FORWARDER_INIT_CODE_HASH = '0xc623eb83238fce2b796af0db12d126ece34f20deed2f8bbe4aeaeb253b698761';
