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

export const disperse = {
  abi: [
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "recipient",
          "type": "address"
        }
      ],
      "name": "Refused",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address payable[]",
          "name": "recipients",
          "type": "address[]"
        },
        {
          "internalType": "uint256[]",
          "name": "amounts",
          "type": "uint256[]"
        }
      ],
      "name": "pay",
      "outputs": [],
      "stateMutability": "payable",
      "type": "function"
    }
  ],
  bytecode:
    '0x608080604052346015576101b7908161001a8239f35b5f80fdfe60806040526004361015610011575f80fd5b5f3560e01c63084ce70814610024575f80fd5b604036600319011261014a5760043567ffffffffffffffff811161014a5761005090369060040161014e565b60243567ffffffffffffffff811161014a5761007090369060040161014e565b92905f5b83811061007d57005b5f8080806001600160a01b0361009c610097878b8b61017f565b6101a3565b166100a8868b8961017f565b35905af13d15610145573d67ffffffffffffffff81116101315760405190601f8101601f19908116603f0116820167ffffffffffffffff8111838210176101315760405281525f60203d92013e5b1561010357600101610074565b61009761011191858561017f565b6388e70beb60e01b5f9081526001600160a01b0391909116600452602490fd5b634e487b7160e01b5f52604160045260245ffd5b6100f6565b5f80fd5b9181601f8401121561014a5782359167ffffffffffffffff831161014a576020808501948460051b01011161014a57565b919081101561018f5760051b0190565b634e487b7160e01b5f52603260045260245ffd5b356001600160a01b038116810361014a579056',
  runtimeBytes: 439,
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
    '0x610180806040523461028457606081611a8b80380380916100208285610288565b83398101031261028457610033816102bf565b9061004c6040610045602084016102bf565b92016102bf565b9060405161005b604082610288565b601281526020810190714b61736920537562736372697074696f6e7360701b82526040519161008b604084610288565b600183526020830191603160f81b83526100a4816102d3565b610120526100b1846102d3565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a0815261011a60c082610288565b5190206080523060c0526001600160a01b031691821561027157600480546001600160a01b0319908116909155600380549182168517905560405193906001600160a01b03167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3600680546001600160a01b03191690556001600160a01b038116158015610260575b6102515761016052600580546001600160a01b0319166001600160a01b039290921691821790555f7f97d2178e7e9ad7c7ebe8b2764d5eaaea92ac94e92f155b74f6d22b231ccd27668180a361174c908161033f8239608051816115c1015260a05181611678015260c0518161158b015260e051816116100152610100518161163601526101205181610527015261014051816105500152610160518181816108340152610ec10152f35b638ae08a4b60e01b5f5260045ffd5b506001600160a01b038216156101a6565b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b601f909101601f19168101906001600160401b038211908210176102ab57604052565b634e487b7160e01b5f52604160045260245ffd5b51906001600160a01b038216820361028457565b601f8151116102fe5760208151910151602082106102ef571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816312da608c14610952575080631661f530146108e65780632a8eb510146108635780632d2c55651461081f5780632f3c2449146107f75780633b14b6c4146107d35780633f4ba83a14610765578063570ca7351461073d5780635c975abb14610718578063715018a6146106f957806379ba5097146106685780638456cb591461060757806384b0196e1461050f5780638da5cb5b146104e75780639bdd755b146102a95780639c2ab97114610256578063b75c7dc61461021f578063e30c3978146101f7578063f2fde38b1461018b5763fcad4448146100f8575f80fd5b34610187575f36600319011261018757600654336001600160a01b0382161480159061017f575b61016c57600554336001600160a01b0382167f97d2178e7e9ad7c7ebe8b2764d5eaaea92ac94e92f155b74f6d22b231ccd27665f80a36001600160a01b0319908116331760055516600655005b633b63649d60e11b5f523360045260245ffd5b50331561011f565b5f80fd5b34610187576020366003190112610187576101a46109d1565b6101ac610be0565b600480546001600160a01b0319166001600160a01b039283169081179091556003549091167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b34610187575f366003190112610187576004546040516001600160a01b039091168152602090f35b3461018757602036600319011261018757610238610bf4565b610244600435336112a8565b5f5f51602061172c5f395f51905f525d005b346101875761010036600319011261018757610270610bf4565b6001600160a01b03610280610bb6565b16330361029757610244610292610b29565b61109f565b6246932b60e61b5f523360045260245ffd5b346101875760203660031901126101875760043567ffffffffffffffff8111610187573660238201121561018757806004013567ffffffffffffffff811161018757366024610140830284010111610187576005546001600160a01b0316330361016c57610315610c29565b61031d610bf4565b61032681610b79565b916103346040519384610af3565b81835261034082610b79565b6020840190601f19013682375f5b8381101561048957610140810283019060248201610124830161038961014461037683610b91565b95019461038286610ba5565b9084610c7b565b94600a861015610475578561042b57602063ffffffff6103db6103d56103cf7f3645e940fe4f0e38cd0192818b2453233f3daccf6db88dc9fe1880b2e60d6f0295610ba5565b97610bcc565b95610b91565b6040516001600160801b0390911681526001600160a01b03909516951693a45b85518110156104175760019160208260051b880101520161034e565b634e487b7160e01b5f52603260045260245ffd5b61043d91935063ffffffff9250610ba5565b16907f7903c6aa67a06799842e89ecfa7e74a9ee4a6fb14320f4be853c43b1a99aaa9f602060405161046f8188610a1f565ba36103fb565b634e487b7160e01b5f52602160045260245ffd5b81855f5f51602061172c5f395f51905f525d604051918291602083019060208452518091526040830191905f5b8181106104c4575050500390f35b91935091602080826104d96001948851610a1f565b0194019101918493926104b6565b34610187575f366003190112610187576003546040516001600160a01b039091168152602090f35b34610187575f366003190112610187576105ab61054b7f00000000000000000000000000000000000000000000000000000000000000006113f4565b6105747f00000000000000000000000000000000000000000000000000000000000000006113f4565b60206105b9604051926105878385610af3565b5f84525f368137604051958695600f60f81b875260e08588015260e08701906109fb565b9085820360408701526109fb565b4660608501523060808501525f60a085015283810360c08501528180845192838152019301915f5b8281106105f057505050500390f35b8351855286955093810193928101926001016105e1565b34610187575f3660031901126101875761061f610be0565b610627610c29565b6004805460ff60a01b1916600160a01b1790556040513381527f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a25890602090a1005b34610187575f36600319011261018757600454336001600160a01b038216036106e6576001600160a01b0319908116600455600380543392811683179091556001600160a01b03167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3600680546001600160a01b0319169055005b63118cdaa760e01b5f523360045260245ffd5b34610187575f3660031901126101875763017ed72b60e01b5f5260045ffd5b34610187575f36600319011261018757602060ff60045460a01c166040519015158152f35b34610187575f366003190112610187576005546040516001600160a01b039091168152602090f35b34610187575f3660031901126101875761077d610be0565b60045460ff8160a01c16156107c45760ff60a01b19166004556040513381527f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa90602090a1005b638dfc202b60e01b5f5260045ffd5b34610187576101003660031901126101875760206107ef610b29565b604051908152f35b34610187575f366003190112610187576006546040516001600160a01b039091168152602090f35b34610187575f366003190112610187576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b3461018757366003190161012081126101875761010013610187576101043567ffffffffffffffff811161018757366023820112156101875780600401359067ffffffffffffffff821161018757366024838301011161018757610292610244926108cc610bf4565b60246108d6610b29565b9301836108e1610bb6565b611312565b34610187576020366003190112610187576108ff6109d1565b610907610be0565b600680546001600160a01b0319166001600160a01b039283169081179091556005549091167f39bc7a26a02e2b6dddbaf5b7f8e48855928d7a2dbeeccee9a9ddbf52980bc28c5f80a3005b34610187576040366003190112610187576001600160a01b036109736109d1565b165f52600260205260405f206024355f5260205260405f20549060ff82166003811015610475576080926001600160801b0391835263ffffffff8160081c16602084015263ffffffff8160281c16604084015260481c166060820152f35b600435906001600160a01b038216820361018757565b35906001600160a01b038216820361018757565b805180835260209291819084018484015e5f828201840152601f01601f1916010190565b90600a8210156104755752565b359065ffffffffffff8216820361018757565b6001600160a01b03610a50826109e7565b1682526001600160a01b03610a67602083016109e7565b16602083015260408101356001600160801b03811680910361018757604083015265ffffffffffff610a9b60608301610a2c565b16606083015265ffffffffffff610ab460808301610a2c565b16608083015265ffffffffffff610acd60a08301610a2c565b1660a083015260c081013560ff81168091036101875760c083015260e090810135910152565b90601f8019910116810190811067ffffffffffffffff821117610b1557604052565b634e487b7160e01b5f52604160045260245ffd5b60405160208101907fb6cf284950d5eb0ed3426a19bd0e0e8a0af55cdaf5cde1d5e74cfc42788626338252610b62604082016004610a3f565b6101208152610b7361014082610af3565b51902090565b67ffffffffffffffff8111610b155760051b60200190565b356001600160801b03811681036101875790565b3563ffffffff811681036101875790565b6004356001600160a01b03811681036101875790565b356001600160a01b03811681036101875790565b6003546001600160a01b031633036106e657565b5f51602061172c5f395f51905f525c610c1a5760015f51602061172c5f395f51905f525d565b633ee5aeb560e01b5f5260045ffd5b60ff60045460a01c16610c3857565b63d93c066560e01b5f5260045ffd5b3565ffffffffffff811681036101875790565b91908203918211610c6757565b634e487b7160e01b5f52601160045260245ffd5b9290925f9260405160208101907fb6cf284950d5eb0ed3426a19bd0e0e8a0af55cdaf5cde1d5e74cfc42788626338252610cb86040820185610a3f565b6101208152610cc961014082610af3565b5190209485906001600160a01b03610ce085610bcc565b165f52600260205260405f20825f5260205260405f2093604051946080860186811067ffffffffffffffff821117610b1557604052549260ff841692600384101561047557838752602087019363ffffffff8660081c16855263ffffffff8660281c169263ffffffff60408a0198858a526001600160801b0360608c019960481c168952169384111561108f575015611082578651600381101561047557600214611075576080830165ffffffffffff610d9982610c47565b1642106110675765ffffffffffff610db360a08601610c47565b164210156110595765ffffffffffff610dce610dd592610c47565b1642610c5a565b65ffffffffffff610de860608601610c47565b16908115611045570460018101809111610c675763ffffffff16916001600160801b0386511663ffffffff86511684039063ffffffff8211610c6757610e4c610e529263ffffffff6001600160801b03610e4460408b01610b91565b16911661143f565b90611432565b91610e5c85611503565b808411611036575b506001600160801b0316928315801561102d575b8015611006575b610ff757602085016001600160a01b03610e9882610bcc565b16610ea287610bcc565b6040516323b872dd60e01b5f9081526001600160a01b039283166004527f00000000000000000000000000000000000000000000000000000000000000009092166024526044889052919060209060648180855af19060015f5114821615610fea575b50906040525f60605215610fbe5750855286526001600160801b0391610f2a91610c5a565b1683526001600160a01b0390610f3f90610bcc565b165f52600260205260405f20875f5260205260405f20935160038110156104755760ff80198654169116178455519164ffffffff0078ffffffffffffffffffffffffffffffff00000000000000000068ffffffff00000000008654935160281b16935160481b169360081b1690610100600160c81b0319161717179055565b9497505050509450610fe7959650610fe19250610fdb9150610bcc565b91610bcc565b90611452565b90565b3b15153d1516165f610f05565b50600699505050505050505050565b5061101b8163ffffffff60e088013516611432565b5f198101908111610c67578211610e7f565b50828411610e78565b92506001600160801b03610e64565b634e487b7160e01b5f52601260045260245ffd5b506005985050505050505050565b506004985050505050505050565b5060039750505050505050565b5060029750505050505050565b9a50600199505050505050505050565b6004356001600160a01b0381169081810361018757815f52600260205260405f20835f5260205260405f2060ff815416600381101561047557600181146112a15760021461128d5760a43565ffffffffffff81168082141591826101875781421015611279576024356001600160a01b0381169081810361018757501592831561125a575b831561123c575b831561121a575b83156111b5575b505050801561119c575b61118d57805460ff191660011790555060405191611162836004610a3f565b7f2bae8af81907c26173d2ed035dd1538860fa17909ff82fb43e2c7e758a3ea99961010060e43594a4565b632a2656bf60e11b5f5260045ffd5b506001600160801b036111af6004611503565b11611143565b9091925061018757506084359065ffffffffffff82169182810361018757500365ffffffffffff8111610c67576064359065ffffffffffff821691828103610187575081156110455763ffffffff9165ffffffffffff809216041610155f8080611139565b5060843565ffffffffffff811693508381036101875750815f93101592611132565b925060643565ffffffffffff8116908181036101875750159261112b565b92506044356001600160801b0381169081810361018757501592611124565b632f56b7fb60e21b5f52600560045260245ffd5b632f56b7fb60e21b5f52600360045260245ffd5b5050505050565b60018060a01b031690815f52600260205260405f20815f5260205260405f2060ff81541660038110156104755760021461130d57805460ff191660021790557f5bc2baf870c5baf189838b5e0b0e3b04a3263e2df5d305d1c15f3e6022f5dc455f80a3565b505050565b9060429061131e611588565b906040519161190160f01b8352600283015260228201522061134184848361153c565b506004811015610475571590816113de575b506113d857813b1515928361137d575b505050905061137b57638baa579f60e01b5f5260045ffd5b565b5f93508460209560649260405194630b135d3f60e11b8652600486015260406024860152816044860152838501378281018201859052601f01601f191601915afa630b135d3f60e11b5f5114601f3d111616805f8080611363565b50505050565b6001600160a01b0384811691161490505f611353565b60ff811690601f82116114235760405191611410604084610af3565b6020808452838101919036833783525290565b632cd44ac360e21b5f5260045ffd5b91908201809211610c6757565b81810292918115918404141715610c6757565b6040516370a0823160e01b60208201526001600160a01b0390921660248084018290528352909161148e90611488604482610af3565b83611570565b90156114fa5783116114f2576114ce9160405191636eb1769f60e11b60208401526024830152306044830152604482526114c9606483610af3565b611570565b819291926114e8575b5050156114e357600890565b600990565b1090505f806114d7565b505050600790565b50505050600990565b60c081013560ff81168091036101875760018101809111610c67576001600160801b036115356040610fe79401610b91565b169061143f565b90604183036115665761155f9250602081013591604082359201355f1a9061169e565b9192909190565b50505f9160029190565b6020915f918382519201905afa601f3d1116905f5190565b307f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03161480611675575b156115e3577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a08152610b7360c082610af3565b507f000000000000000000000000000000000000000000000000000000000000000046146115ba565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411611720579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15611715575f516001600160a01b0381161561170b57905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f916003919056fe9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00',
  runtimeBytes: 5964,
} as const;

export const testUsdc = {
  abi: [
    {
      "inputs": [],
      "name": "ECDSAInvalidSignature",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "length",
          "type": "uint256"
        }
      ],
      "name": "ECDSAInvalidSignatureLength",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "s",
          "type": "bytes32"
        }
      ],
      "name": "ECDSAInvalidSignatureS",
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
      "inputs": [
        {
          "internalType": "uint256",
          "name": "deadline",
          "type": "uint256"
        }
      ],
      "name": "ERC2612ExpiredSignature",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "signer",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "owner",
          "type": "address"
        }
      ],
      "name": "ERC2612InvalidSigner",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "validAfter",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "validBefore",
          "type": "uint256"
        }
      ],
      "name": "ERC3009InvalidAuthorizationTime",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "ERC3009InvalidSignature",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "authorizer",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "nonce",
          "type": "bytes32"
        }
      ],
      "name": "ERC3009UsedAuthorization",
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
          "name": "currentNonce",
          "type": "uint256"
        }
      ],
      "name": "InvalidAccountNonce",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "InvalidShortString",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint8",
          "name": "bits",
          "type": "uint8"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "SafeCastOverflowedUintDowncast",
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
          "name": "authorizer",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "nonce",
          "type": "bytes32"
        }
      ],
      "name": "AuthorizationCanceled",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "authorizer",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "nonce",
          "type": "bytes32"
        }
      ],
      "name": "AuthorizationUsed",
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
      "inputs": [],
      "name": "DOMAIN_SEPARATOR",
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
          "name": "authorizer",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "nonce",
          "type": "bytes32"
        }
      ],
      "name": "authorizationState",
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
      "inputs": [
        {
          "internalType": "address",
          "name": "authorizer",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "nonce",
          "type": "bytes32"
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
      "name": "cancelAuthorization",
      "outputs": [],
      "stateMutability": "nonpayable",
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
      "inputs": [
        {
          "internalType": "address",
          "name": "owner",
          "type": "address"
        }
      ],
      "name": "nonces",
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
          "name": "owner",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
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
      "name": "permit",
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
          "name": "value",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "validAfter",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "validBefore",
          "type": "uint256"
        },
        {
          "internalType": "bytes32",
          "name": "nonce",
          "type": "bytes32"
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
      "name": "receiveWithAuthorization",
      "outputs": [],
      "stateMutability": "nonpayable",
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
        },
        {
          "internalType": "uint256",
          "name": "validAfter",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "validBefore",
          "type": "uint256"
        },
        {
          "internalType": "bytes32",
          "name": "nonce",
          "type": "bytes32"
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
      "name": "transferWithAuthorization",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "version",
      "outputs": [
        {
          "internalType": "string",
          "name": "",
          "type": "string"
        }
      ],
      "stateMutability": "pure",
      "type": "function"
    }
  ],
  bytecode:
    '0x6101606040523461044457604051610018604082610448565b600d8152602081016c2a32b9ba102aa9a21021b7b4b760991b815260405190610042604083610448565b600d82526c2a32b9ba102aa9a21021b7b4b760991b60208301526040519261006b604085610448565b60048452635553444360e01b60208501526040519361008b604086610448565b60018552603160f81b60208601908152845190946001600160401b03821161033f5760035490600182811c9216801561043a575b60208310146103215781601f8493116103c4575b50602090601f831160011461035e575f92610353575b50508160011b915f199060031b1c1916176003555b8051906001600160401b03821161033f5760045490600182811c92168015610335575b60208310146103215781601f8493116102ab575b50602090601f8311600114610245575f9261023a575b50508160011b915f199060031b1c1916176004555b6101698161046b565b610120526101768461046b565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a081526101df60c082610448565b5190206080523060c05260405161108490816104d7823960805181610c8f015260a05181610d4c015260c05181610c59015260e05181610cde01526101005181610d04015261012051816105aa015261014051816105d30152f35b015190505f8061014b565b60045f9081528281209350601f198516905b818110610293575090846001959493921061027b575b505050811b01600455610160565b01515f1960f88460031b161c191690555f808061026d565b92936020600181928786015181550195019301610257565b828111156101355760045f52909150601f830160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b60208510610319575b849392601f0160051c82900391015f5b828110610309575050610135565b5f818301558594506001016102fb565b5f91506102eb565b634e487b7160e01b5f52602260045260245ffd5b91607f1691610121565b634e487b7160e01b5f52604160045260245ffd5b015190505f806100e9565b60035f9081528281209350601f198516905b8181106103ac5750908460019594939210610394575b505050811b016003556100fe565b01515f1960f88460031b161c191690555f8080610386565b92936020600181928786015181550195019301610370565b828111156100d35760035f52909150601f830160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b60208510610432575b849392601f0160051c82900391015f5b8281106104225750506100d3565b5f81830155859450600101610414565b5f9150610404565b91607f16916100bf565b5f80fd5b601f909101601f19168101906001600160401b0382119082101761033f57604052565b601f815111610496576020815191015160208210610487571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde0314610a1057508063095ea7b3146109ea57806318160ddd146109cd57806323b872dd146108ee578063313ce567146108d35780633644e515146108b157806340c10f191461080f57806354fd4d50146107cc5780635a049a70146106f957806370a08231146106c25780637ecebe001461068a57806384b0196e1461059257806395d89b4114610486578063a9059cbb14610455578063d505accf1461033a578063dd62ed3e146102ea578063e3ee160e1461022a578063e94a0102146101e15763ef55bec6146100ed575f80fd5b346101dd576100fb36610b18565b97916040979397969496519860208a01927fd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de88452600160a01b600190038516938460408d0152600160a01b6001900387169b8c60608201528860808201528960a08201528a60c08201528b60e082015260e0815261017b61010082610b76565b51902061018790610d72565b9261019193610eb9565b61019a91610f46565b6001600160a01b0316036101ce573387036101bb576101b99650610d98565b005b8663ec442f0560e01b5f5260045260245ffd5b631df081fd60e21b5f5260045ffd5b5f80fd5b346101dd5760403660031901126101dd576001600160a01b03610202610aec565b165f52600860205260405f206024355f52602052602060ff60405f2054166040519015158152f35b346101dd576102d36102ca61023e36610b18565b9060409a93999294989a97959751946102c5602087017f7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a226781528d60018060a01b03169788604082015260018060a01b038a1660608201528a60808201528b60a08201528c60c08201528d60e082015260e081526102bd61010082610b76565b519020610d72565b610eb9565b90929192610f46565b6001600160a01b0316036101ce576101b995610d98565b346101dd5760403660031901126101dd57610303610aec565b61030b610b02565b6001600160a01b039182165f908152600160209081526040808320949093168252928352819020549051908152f35b346101dd5760e03660031901126101dd57610353610aec565b61035b610b02565b604435906064359260843560ff811681036101dd57844211610442576102ca6104109160018060a01b03841696875f52600760205260405f20918254926001840190556040519160208301937f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c985528a604085015260018060a01b038916606085015289608085015260a084015260c083015260c082526103fd60e083610b76565b6102c560c4359360a43593519020610d72565b6001600160a01b031684810361042b57506101b99350610e56565b84906325c0072360e11b5f5260045260245260445ffd5b8463313c898160e11b5f5260045260245ffd5b346101dd5760403660031901126101dd5761047b610471610aec565b6024359033610bac565b602060405160018152f35b346101dd575f3660031901126101dd576040515f6004548060011c90600181168015610588575b6020831081146105745782855290811561055057506001146104f2575b6104ee836104da81850382610b76565b604051918291602083526020830190610ac8565b0390f35b91905060045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b915f905b808210610536575090915081016020016104da6104ca565b91926001816020925483858801015201910190929161051e565b60ff191660208086019190915291151560051b840190910191506104da90506104ca565b634e487b7160e01b5f52602260045260245ffd5b91607f16916104ad565b346101dd575f3660031901126101dd5761062e6105ce7f0000000000000000000000000000000000000000000000000000000000000000611017565b6105f77f0000000000000000000000000000000000000000000000000000000000000000611017565b602061063c6040519261060a8385610b76565b5f84525f368137604051958695600f60f81b875260e08588015260e0870190610ac8565b908582036040870152610ac8565b4660608501523060808501525f60a085015283810360c08501528180845192838152019301915f5b82811061067357505050500390f35b835185528695509381019392810192600101610664565b346101dd5760203660031901126101dd576001600160a01b036106ab610aec565b165f526007602052602060405f2054604051908152f35b346101dd5760203660031901126101dd576001600160a01b036106e3610aec565b165f525f602052602060405f2054604051908152f35b346101dd5760a03660031901126101dd57610712610aec565b602435906044359060ff821682036101dd5761078d6102ca60405160208101907f158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429825260018060a01b038516958660408301528760608301526060825261077a608083610b76565b6102c56084359360643593519020610d72565b6001600160a01b031682036101ce57826107a691610fba565b7f1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d815f80a3005b346101dd575f3660031901126101dd576104ee6040516107ed604082610b76565b60018152603160f81b6020820152604051918291602083526020830190610ac8565b346101dd5760403660031901126101dd57610828610aec565b6001600160a01b0316602435811561089e576002549080820180921161088a5760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f9360025584845283825260408420818154019055604051908152a3005b634e487b7160e01b5f52601160045260245ffd5b63ec442f0560e01b5f525f60045260245ffd5b346101dd575f3660031901126101dd5760206108cb610c56565b604051908152f35b346101dd575f3660031901126101dd57602060405160068152f35b346101dd5760603660031901126101dd57610907610aec565b61090f610b02565b6001600160a01b0382165f818152600160209081526040808320338452909152902054909260443592915f19811061094d575b5061047b9350610bac565b8381106109b257841561099f57331561098c5761047b945f52600160205260405f2060018060a01b0333165f526020528360405f209103905584610942565b634a1406b160e11b5f525f60045260245ffd5b63e602df0560e01b5f525f60045260245ffd5b8390637dc7a0d960e11b5f523360045260245260445260645ffd5b346101dd575f3660031901126101dd576020600254604051908152f35b346101dd5760403660031901126101dd5761047b610a06610aec565b6024359033610e56565b346101dd575f3660031901126101dd575f6003548060011c90600181168015610abe575b602083108114610574578285529081156105505750600114610a60576104ee836104da81850382610b76565b91905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b915f905b808210610aa4575090915081016020016104da6104ca565b919260018160209254838588010152019101909291610a8c565b91607f1691610a34565b805180835260209291819084018484015e5f828201840152601f01601f1916010190565b600435906001600160a01b03821682036101dd57565b602435906001600160a01b03821682036101dd57565b6101209060031901126101dd576004356001600160a01b03811681036101dd57906024356001600160a01b03811681036101dd579060443590606435906084359060a4359060c43560ff811681036101dd579060e435906101043590565b90601f8019910116810190811067ffffffffffffffff821117610b9857604052565b634e487b7160e01b5f52604160045260245ffd5b6001600160a01b0316908115610c43576001600160a01b031691821561089e57815f525f60205260405f2054818110610c2a57817fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef92602092855f525f84520360405f2055845f525f825260405f20818154019055604051908152a3565b8263391434e360e21b5f5260045260245260445260645ffd5b634b637e8f60e11b5f525f60045260245ffd5b307f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03161480610d49575b15610cb1577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a08152610d4360c082610b76565b51902090565b507f00000000000000000000000000000000000000000000000000000000000000004614610c88565b604290610d7d610c56565b906040519161190160f01b8352600283015260228201522090565b919395949092658000000000008782161680155f14610e415765ffffffffffff610dc142611055565b1690199081831681119182610e35575b505015610e1e5750610e1c949550610de98183610fba565b6001600160a01b0382167f98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a55f80a3610bac565b565b8690634a931c1760e01b5f5260045260245260445ffd5b89161190505f80610dd1565b65ffffffffffff610e5143611055565b610dc1565b6001600160a01b031690811561099f576001600160a01b031691821561098c5760207f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591835f526001825260405f20855f5282528060405f2055604051908152a3565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610f3b579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610f30575f516001600160a01b03811615610f2657905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b6004811015610fa65780610f58575050565b60018103610f6f5763f645eedf60e01b5f5260045ffd5b60028103610f8a575063fce698f760e01b5f5260045260245ffd5b600314610f945750565b6335e2f38360e21b5f5260045260245ffd5b634e487b7160e01b5f52602160045260245ffd5b60018060a01b0316805f52600860205260405f20825f5260205260ff60405f205416611002575f52600860205260405f20905f5260205260405f20600160ff19825416179055565b638f7808c160e01b5f5260045260245260445ffd5b60ff811690601f82116110465760405191611033604084610b76565b6020808452838101919036833783525290565b632cd44ac360e21b5f5260045ffd5b65ffffffffffff811161106d5765ffffffffffff1690565b6306dfcc6560e41b5f52603060045260245260445ffd',
  runtimeBytes: 4228,
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
