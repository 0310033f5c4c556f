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
