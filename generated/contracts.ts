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
    '0x610180806040523461028b57606081611fc08038038091610020828561028f565b83398101031261028b57610033816102c6565b9061004c6040610045602084016102c6565b92016102c6565b9060405161005b60408261028f565b601281526020810190714b61736920537562736372697074696f6e7360701b82526040519161008b60408461028f565b600183526020830191603160f81b83526100a4816102da565b610120526100b1846102da565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a0815261011a60c08261028f565b5190206080523060c0526001600160a01b031691821561027857600480546001600160a01b0319908116909155600380549182168517905560405193906001600160a01b03167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3600680546001600160a01b03191690556001600160a01b038116158015610267575b6102585761016052600580546001600160a01b0319166001600160a01b039290921691821790555f7f97d2178e7e9ad7c7ebe8b2764d5eaaea92ac94e92f155b74f6d22b231ccd27668180a3611c7a9081610346823960805181611ad7015260a05181611b8e015260c05181611aa1015260e05181611b2601526101005181611b4c0152610120518161053d015261014051816105660152610160518181816109d1015281816111fa01526115a80152f35b638ae08a4b60e01b5f5260045ffd5b506001600160a01b038216156101a6565b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b601f909101601f19168101906001600160401b038211908210176102b257604052565b634e487b7160e01b5f52604160045260245ffd5b51906001600160a01b038216820361028b57565b601f8151116103055760208151910151602082106102f6571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816312da608c14610ad0575080631661f53014610a645780632a8eb51014610a005780632d2c5565146109bc5780632f3c2449146109945780633b14b6c4146109705780633f4ba83a1461090257806340c534e61461085a578063570ca735146108325780635c975abb1461080d578063685dcf371461072e578063715018a61461070f57806379ba50971461067e5780638456cb591461061d57806384b0196e146105255780638da5cb5b146104fd5780639bdd755b146102bf5780639c2ab9711461026c578063b75c7dc614610235578063e30c39781461020d578063f2fde38b146101a15763fcad44481461010e575f80fd5b3461019d575f36600319011261019d57600654336001600160a01b03821614801590610195575b61018257600554336001600160a01b0382167f97d2178e7e9ad7c7ebe8b2764d5eaaea92ac94e92f155b74f6d22b231ccd27665f80a36001600160a01b0319908116331760055516600655005b633b63649d60e11b5f523360045260245ffd5b503315610135565b5f80fd5b3461019d57602036600319011261019d576101ba610b4f565b6101c2610de0565b600480546001600160a01b0319166001600160a01b039283169081179091556003549091167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b3461019d575f36600319011261019d576004546040516001600160a01b039091168152602090f35b3461019d57602036600319011261019d5761024e610df4565b61025a60043533610f23565b5f5f516020611c5a5f395f51905f525d005b3461019d5761010036600319011261019d57610286610df4565b6001600160a01b03610296610d79565b1633036102ad5761025a6102a8610cf1565b611719565b6246932b60e61b5f523360045260245ffd5b3461019d57602036600319011261019d5760043567ffffffffffffffff811161019d573660238201121561019d57806004013567ffffffffffffffff811161019d5736602461014083028401011161019d576005546001600160a01b031633036101825761032b610f8d565b610333610df4565b61033c81610da3565b9161034a6040519384610ccf565b81835261035682610da3565b6020840190601f19013682375f5b8381101561049f57610140810283019060248201610124830161039f61014461038c83610dbb565b95019461039886610dcf565b90846113c1565b94600a86101561048b578561044157602063ffffffff6103f16103eb6103e57f3645e940fe4f0e38cd0192818b2453233f3daccf6db88dc9fe1880b2e60d6f0295610dcf565b97610d8f565b95610dbb565b6040516001600160801b0390911681526001600160a01b03909516951693a45b855181101561042d5760019160208260051b8801015201610364565b634e487b7160e01b5f52603260045260245ffd5b61045391935063ffffffff9250610dcf565b16907f7903c6aa67a06799842e89ecfa7e74a9ee4a6fb14320f4be853c43b1a99aaa9f60206040516104858188610bcb565ba3610411565b634e487b7160e01b5f52602160045260245ffd5b81855f5f516020611c5a5f395f51905f525d604051918291602083019060208452518091526040830191905f5b8181106104da575050500390f35b91935091602080826104ef6001948851610bcb565b0194019101918493926104cc565b3461019d575f36600319011261019d576003546040516001600160a01b039091168152602090f35b3461019d575f36600319011261019d576105c16105617f0000000000000000000000000000000000000000000000000000000000000000611a27565b61058a7f0000000000000000000000000000000000000000000000000000000000000000611a27565b60206105cf6040519261059d8385610ccf565b5f84525f368137604051958695600f60f81b875260e08588015260e0870190610ba7565b908582036040870152610ba7565b4660608501523060808501525f60a085015283810360c08501528180845192838152019301915f5b82811061060657505050500390f35b8351855286955093810193928101926001016105f7565b3461019d575f36600319011261019d57610635610de0565b61063d610f8d565b6004805460ff60a01b1916600160a01b1790556040513381527f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a25890602090a1005b3461019d575f36600319011261019d57600454336001600160a01b038216036106fc576001600160a01b0319908116600455600380543392811683179091556001600160a01b03167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3600680546001600160a01b0319169055005b63118cdaa760e01b5f523360045260245ffd5b3461019d575f36600319011261019d5763017ed72b60e01b5f5260045ffd5b3461019d573660031901610140811261019d576101001361019d57610104356001600160801b0381169081810361019d57610124359063ffffffff82169182810361019d576005546001600160a01b031633036101825761079e91610791610f8d565b610799610df4565b610fdf565b600a81101561048b57806107fb57507f3645e940fe4f0e38cd0192818b2453233f3daccf6db88dc9fe1880b2e60d6f0260206001600160a01b036107e0610d79565b1694604051908152a45f5f516020611c5a5f395f51905f525d005b632f56b7fb60e21b5f5260045260245ffd5b3461019d575f36600319011261019d57602060ff60045460a01c166040519015158152f35b3461019d575f36600319011261019d576005546040516001600160a01b039091168152602090f35b3461019d57606036600319011261019d57610873610b4f565b6024356044359167ffffffffffffffff831161019d576108fd61089d61025a943690600401610b79565b906108a6610df4565b60405160208101907fd2dd97db3d59d0bf8a3cdf8fcdea6dffcd8bcb461d231b966e8246294792ad1e825260018060a01b0386166040820152866060820152606081526108f4608082610ccf565b51902084610e29565b610f23565b3461019d575f36600319011261019d5761091a610de0565b60045460ff8160a01c16156109615760ff60a01b19166004556040513381527f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa90602090a1005b638dfc202b60e01b5f5260045ffd5b3461019d5761010036600319011261019d57602061098c610cf1565b604051908152f35b3461019d575f36600319011261019d576006546040516001600160a01b039091168152602090f35b3461019d575f36600319011261019d576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b3461019d573660031901610120811261019d576101001361019d576101043567ffffffffffffffff811161019d576102a8610a4261025a923690600401610b79565b610a4d929192610df4565b610a55610cf1565b9283610a5f610d79565b610e29565b3461019d57602036600319011261019d57610a7d610b4f565b610a85610de0565b600680546001600160a01b0319166001600160a01b039283169081179091556005549091167f39bc7a26a02e2b6dddbaf5b7f8e48855928d7a2dbeeccee9a9ddbf52980bc28c5f80a3005b3461019d57604036600319011261019d576001600160a01b03610af1610b4f565b165f52600260205260405f206024355f5260205260405f20549060ff8216600381101561048b576080926001600160801b0391835263ffffffff8160081c16602084015263ffffffff8160281c16604084015260481c166060820152f35b600435906001600160a01b038216820361019d57565b35906001600160a01b038216820361019d57565b9181601f8401121561019d5782359167ffffffffffffffff831161019d576020838186019501011161019d57565b805180835260209291819084018484015e5f828201840152601f01601f1916010190565b90600a82101561048b5752565b359065ffffffffffff8216820361019d57565b6001600160a01b03610bfc82610b65565b1682526001600160a01b03610c1360208301610b65565b16602083015260408101356001600160801b03811680910361019d57604083015265ffffffffffff610c4760608301610bd8565b16606083015265ffffffffffff610c6060808301610bd8565b16608083015265ffffffffffff610c7960a08301610bd8565b1660a083015260c081013560ff811680910361019d5760c083015260e090810135910152565b6080810190811067ffffffffffffffff821117610cbb57604052565b634e487b7160e01b5f52604160045260245ffd5b90601f8019910116810190811067ffffffffffffffff821117610cbb57604052565b60405160208101907fb6cf284950d5eb0ed3426a19bd0e0e8a0af55cdaf5cde1d5e74cfc42788626338252610d2a604082016004610beb565b6101208152610d3b61014082610ccf565b51902090565b604051610d2a60208201927fb6cf284950d5eb0ed3426a19bd0e0e8a0af55cdaf5cde1d5e74cfc427886263384526040830190610beb565b6004356001600160a01b038116810361019d5790565b356001600160a01b038116810361019d5790565b67ffffffffffffffff8111610cbb5760051b60200190565b356001600160801b038116810361019d5790565b3563ffffffff8116810361019d5790565b6003546001600160a01b031633036106fc57565b5f516020611c5a5f395f51905f525c610e1a5760015f516020611c5a5f395f51905f525d565b633ee5aeb560e01b5f5260045ffd5b90604290610e35611a9e565b906040519161190160f01b83526002830152602282015220610e58848483611922565b50600481101561048b57159081610ef5575b50610eef57813b15159283610e94575b5050509050610e9257638baa579f60e01b5f5260045ffd5b565b5f93508460209560649260405194630b135d3f60e11b8652600486015260406024860152816044860152838501378281018201859052601f01601f191601915afa630b135d3f60e11b5f5114601f3d111616805f8080610e7a565b50505050565b6001600160a01b0384811691161490505f610e6a565b90600381101561048b5760ff80198354169116179055565b60018060a01b031690815f52600260205260405f20815f5260205260405f2060ff815416600381101561048b57600214610f8857805460ff191660021790557f5bc2baf870c5baf189838b5e0b0e3b04a3263e2df5d305d1c15f3e6022f5dc455f80a3565b505050565b60ff60045460a01c16610f9c57565b63d93c066560e01b5f5260045ffd5b3565ffffffffffff8116810361019d5790565b91908203918211610fcb57565b634e487b7160e01b5f52601160045260245ffd5b915f9160405160208101907fb6cf284950d5eb0ed3426a19bd0e0e8a0af55cdaf5cde1d5e74cfc4278862633825261101b604082016004610beb565b610120815261102c61014082610ccf565b519020936004359190856001600160a01b03841680850361019d57805f52600260205260405f20825f5260205260405f20946040519561106b87610c9f565b549360ff851693600385101561048b57848852602088019463ffffffff8760081c16865263ffffffff8760281c169163ffffffff60408b0199848b526001600160801b0360608d019a60481c168a5216928311156113b05750156113a2578751600381101561048b576002146113945760843565ffffffffffff81169081810361019d578142106113845760a43565ffffffffffff81169081810361019d5750421015611374575061111d9042610fbe565b6064359065ffffffffffff82169182810361019d57508115611360570460018101809111610fcb5763ffffffff16916001600160801b0387511663ffffffff87511684039063ffffffff8211610fcb57604435916001600160801b03831680840361019d5763ffffffff6111969261119c955016611963565b90611956565b906111a76004611a65565b808311611351575b506001600160801b03169182158015611348575b8015611323575b611313576024356001600160a01b038116949085810361019d576040516323b872dd60e01b5f90815260048a90527f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031660245260448790529660208860648180855af19060015f5114821615611306575b50906040525f606052156112ec5750875288526001600160801b039161126891610fbe565b16855261019d57505f52600260205260405f20875f5260205260405f209351600381101561048b5761129a9085610f0b565b519164ffffffff0078ffffffffffffffffffffffffffffffff00000000000000000068ffffffff00000000008654935160281b16935160481b169360081b1690610100600160c81b0319161717179055565b985050505096505093505050611303939450611976565b90565b3b15153d1516165f611243565b5060069a50505050505050505050565b506113368463ffffffff60e43516611956565b5f198101908111610fcb5781116111ca565b508183116111c3565b91506001600160801b036111af565b634e487b7160e01b5f52601260045260245ffd5b5060059a50505050505050505050565b5060049a50505050505050505050565b506003985050505050505050565b506002985050505050505050565b9b5060019a50505050505050505050565b92905f926113ce85610d41565b946001600160a01b036113e082610d8f565b165f52600260205260405f20865f5260205260405f20926040519361140485610c9f565b549160ff8316600381101561048b57808652602086019263ffffffff8560081c16845263ffffffff8560281c169163ffffffff60408901978489526001600160801b0360608b019860481c168852169283111561170b57156116fe578651600381101561048b576002146116f1576080830165ffffffffffff61148682610fab565b1642106116e35765ffffffffffff6114a060a08601610fab565b164210156116d55765ffffffffffff6114bb6114c292610fab565b1642610fbe565b65ffffffffffff6114d560608601610fab565b16908115611360570460018101809111610fcb5763ffffffff16916001600160801b0386511663ffffffff86511684039063ffffffff8211610fcb576111966115399263ffffffff6001600160801b0361153160408b01610dbb565b169116611963565b9161154385611a65565b8084116116c6575b506001600160801b031692831580156116bd575b8015611696575b61168757602085016001600160a01b0361157f82610d8f565b1661158987610d8f565b6040516323b872dd60e01b5f9081526001600160a01b039283166004527f00000000000000000000000000000000000000000000000000000000000000009092166024526044889052919060209060648180855af19060015f511482161561167a575b50906040525f606052156116515750855286526001600160801b039161161191610fbe565b1683526001600160a01b039061162690610d8f565b165f52600260205260405f20875f5260205260405f209351600381101561048b5761129a9085610f0b565b9497505050509450611303959650611674925061166e9150610d8f565b91610d8f565b90611976565b3b15153d1516165f6115ec565b50600699505050505050505050565b506116ab8163ffffffff60e088013516611956565b5f198101908111610fcb578211611566565b5082841161155f565b92506001600160801b0361154b565b506005985050505050505050565b506004985050505050505050565b5060039750505050505050565b5060029750505050505050565b506001985050505050505050565b6004356001600160a01b0381169081810361019d57815f52600260205260405f20835f5260205260405f2060ff815416600381101561048b576001811461191b576002146119075760a43565ffffffffffff811680821415918261019d57814210156118f3576024356001600160a01b0381169081810361019d5750159283156118d4575b83156118b6575b8315611894575b831561182f575b5050508015611816575b61180757805460ff1916600117905550604051916117dc836004610beb565b7f2bae8af81907c26173d2ed035dd1538860fa17909ff82fb43e2c7e758a3ea99961010060e43594a4565b632a2656bf60e11b5f5260045ffd5b506001600160801b036118296004611a65565b116117bd565b9091925061019d57506084359065ffffffffffff82169182810361019d57500365ffffffffffff8111610fcb576064359065ffffffffffff82169182810361019d575081156113605763ffffffff9165ffffffffffff809216041610155f80806117b3565b5060843565ffffffffffff8116935083810361019d5750815f931015926117ac565b925060643565ffffffffffff81169081810361019d575015926117a5565b92506044356001600160801b0381169081810361019d5750159261179e565b632f56b7fb60e21b5f52600560045260245ffd5b632f56b7fb60e21b5f52600360045260245ffd5b5050505050565b906041830361194c576119459250602081013591604082359201355f1a90611bb4565b9192909190565b50505f9160029190565b91908201809211610fcb57565b81810292918115918404141715610fcb57565b6040516370a0823160e01b60208201526001600160a01b039092166024808401829052835290916119b2906119ac604482610ccf565b83611c41565b9015611a1e578311611a16576119f29160405191636eb1769f60e11b60208401526024830152306044830152604482526119ed606483610ccf565b611c41565b81929192611a0c575b505015611a0757600890565b600990565b1090505f806119fb565b505050600790565b50505050600990565b60ff811690601f8211611a565760405191611a43604084610ccf565b6020808452838101919036833783525290565b632cd44ac360e21b5f5260045ffd5b60c081013560ff811680910361019d5760018101809111610fcb576001600160801b03611a9760406113039401610dbb565b1690611963565b307f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03161480611b8b575b15611af9577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a08152610d3b60c082610ccf565b507f00000000000000000000000000000000000000000000000000000000000000004614611ad0565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411611c36579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15611c2b575f516001600160a01b03811615611c2157905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b6020915f918382519201905afa601f3d1116905f519056fe9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00',
  runtimeBytes: 7290,
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
