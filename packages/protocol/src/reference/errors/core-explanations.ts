import type { ArgumentErrorCode, CoreErrorCode, TextErrorCode } from '../../errors/facts.ts'
import type { ErrorExplanations } from './error-explanation.ts'

/** Codes of values, texts and settings. */
export const coreExplanations: ErrorExplanations<CoreErrorCode | TextErrorCode | ArgumentErrorCode> = {
  ADDRESS_MALFORMED: {
    title: 'Not an address',
    hint: 'Pass 66 lower-case hex digits that begin with 02 or 03.',
    causes: [
      {
        cause:
          'A referral code, a private key or a shortened address was passed where an address is expected.',
        fix: 'Pass the whole address. decodeReferralCode turns a referral code into the address behind it.',
      },
      {
        cause:
          'A transaction has an address in upper case. It is signed exactly as it stands, so it is not lower-cased on the way.',
        fix: 'Run input through parseAddress, which returns the address in lower case.',
      },
    ],
    related: ['REFERRAL_CODE_INVALID', 'PRIVATE_KEY_MALFORMED'],
  },
  TOKEN_ID_MALFORMED: {
    title: 'Not a token id',
    hint: 'Pass the 64 lower-case hex digits of the token, not its short name.',
    causes: [
      {
        cause: 'The short name of a token, such as DEV, was passed. Names are not unique and are not ids.',
        fix: 'Look the id up with getTokenNames or getNativeTokenId.',
      },
      {
        cause: 'The id has upper-case digits. The network would accept the transaction and reject it later.',
        fix: 'Write token ids in lower case.',
      },
    ],
    related: ['TOKEN_UNKNOWN', 'HASH_MALFORMED'],
  },
  HASH_MALFORMED: {
    title: 'Not a hash',
    hint: 'Pass the 64 hex digits of a block or transaction.',
    causes: [
      {
        cause: 'The text is shortened, has a prefix such as 0x, or is an address, which has 66 digits.',
        fix: 'Pass the complete hash without a prefix.',
      },
      {
        cause:
          'A signature was requested for a block whose name is neither a hash nor the text name of a genesis block. Wallets refuse to sign such a text.',
        fix: 'Pass the hashes of the beacon unchanged.',
      },
    ],
    related: ['ADDRESS_MALFORMED', 'TOKEN_ID_MALFORMED'],
  },
  SIGNATURE_MALFORMED: {
    title: 'Signature is not minimal DER',
    hint: 'Encode the signature as minimal DER in hex.',
    causes: [
      {
        cause: 'The signature has the raw 64-byte form r and s, as many libraries return by default.',
        fix: 'Ask the library for DER, or sign with a wallet of this package.',
      },
      {
        cause:
          'An encoder wrote r or s with a fixed length. That goes wrong whenever a number begins with a zero byte, about once in 256 signatures.',
        fix: 'Use an encoder that writes the shortest form. The network refuses the others too.',
      },
    ],
    related: ['TRANSACTION_MALFORMED'],
  },
  PRIVATE_KEY_MALFORMED: {
    title: 'Not a private key',
    hint: 'Pass 64 hex digits, or 66 that begin with 00. The error never repeats the text.',
    causes: [
      {
        cause:
          'The text has another length: 63 digits where an exporter dropped a leading zero, or a prefix 0x.',
        fix: 'Remove the prefix. Add a leading zero only if you know that the exporter dropped it, then compare the address.',
      },
      {
        cause: 'The file holds something else, such as a keystore or a recovery phrase.',
        fix: 'Open a keystore with decryptWallet, and a phrase with walletFromMnemonic.',
      },
      {
        cause: 'The number is zero or not below the order of the curve.',
        fix: 'Make a new key with createWallet.',
      },
    ],
    related: ['KEYSTORE_MALFORMED', 'MNEMONIC_COUNT'],
  },
  REFERRAL_CODE_INVALID: {
    title: 'Not a referral code',
    hint: 'A code is ref_ in lower case and 66 hex digits.',
    causes: [
      {
        cause:
          'The code was shortened or changed when it was copied; it has a prefix in capitals, or a blank.',
        fix: 'Copy the code again, or use the invitation link.',
      },
      {
        cause:
          'An address was written behind ref_. A code is the address in another form, not the address itself.',
        fix: 'Make the code with encodeReferralCode, or pass the address where one is accepted.',
      },
    ],
    related: ['ADDRESS_MALFORMED'],
  },
  AMOUNT_MALFORMED: {
    title: 'Not an amount',
    hint: 'Write plain decimal digits with at most one point, such as 25 or 0.5.',
    causes: [
      {
        cause:
          'The text has a sign, an exponent, a comma, a blank or grouping, or begins or ends with the point.',
        fix: 'Convert what people type to plain digits first. A comma is never guessed to be a decimal point.',
      },
      { cause: 'The text is empty.', fix: 'Ask for a value before parsing.' },
    ],
    related: ['AMOUNT_TOO_PRECISE', 'AMOUNT_OUT_OF_RANGE'],
  },
  AMOUNT_TOO_PRECISE: {
    title: 'More decimals than the token has',
    hint: 'Round the amount to the decimals of the token.',
    causes: [
      {
        cause:
          'The text has more digits after the point than the token has decimals. Rounding money is left to you.',
        fix: 'Round to facts.decimals digits and show the result before it is paid.',
      },
    ],
    related: ['AMOUNT_MALFORMED', 'DECIMALS_DIFFER'],
  },
  AMOUNT_OUT_OF_RANGE: {
    title: 'Amount out of range',
    hint: 'Pass a bigint of 0 to 18446744073709551615 units.',
    causes: [
      {
        cause:
          'A number was passed. Amounts are bigint, because a number is exact only up to 2^53 - 1 units.',
        fix: "Write 25n for units, or parseAmount('25', token) for coins.",
      },
      {
        cause: 'The amount is negative or above 2^64 - 1.',
        fix: 'Check the calculation: the result of a subtraction, or coins multiplied by units twice.',
      },
    ],
    related: ['AMOUNT_MALFORMED', 'ARGUMENT_INVALID'],
  },
  NONCE_OUT_OF_RANGE: {
    title: 'Nonce out of range',
    hint: 'Leave the nonce away: sendTransaction and pay draw a random one.',
    causes: [
      {
        cause: 'The nonce is negative, not an integer, or above 2^53 - 1.',
        fix: 'Pass an integer of 0 to 9007199254740991. It is a random salt and need not increase.',
      },
    ],
    related: ['TRANSACTION_MALFORMED'],
  },
  JSON_MALFORMED: {
    title: 'Text is not JSON',
    hint: 'Look at where the text comes from: it was cut off, or it is a page of HTML.',
    causes: [
      {
        cause: 'A server in between answered with a page of its own, or the connection ended early.',
        fix: 'Open the address in a browser. Check that the API address ends in /api/v1.',
      },
      {
        cause:
          'The text is nested too deeply or has too many values. Both are limits against hostile servers.',
        fix: 'Raise limitDepth or limitBytes of parseJson, but only for a source that you trust.',
      },
    ],
    related: ['JSON_TOO_LARGE', 'RESPONSE_INVALID'],
  },
  JSON_TOO_LARGE: {
    title: 'JSON is too long to be read',
    hint: 'The text exceeds the limit of the caller; nothing of it was read.',
    causes: [
      {
        cause: 'The sender is not what it should be, or the limit is too small for what you read.',
        fix: 'Check the source, then raise limitBytes of parseJson.',
      },
    ],
    related: ['RESPONSE_TOO_LARGE', 'JSON_MALFORMED'],
  },
  BEACON_REFUSED: {
    title: 'A beacon was not signed',
    hint: 'Listen to the event beaconRefused, whose refusal says why.',
    causes: [
      {
        cause:
          'Reserved. No version throws this code: a mining node reports beacons that it does not sign by the event beaconRefused and goes on.',
        fix: 'Handle the event. If one gateway sends many such beacons the node leaves it by itself.',
      },
    ],
    related: ['MESSAGE_MALFORMED', 'GATEWAY_ERROR'],
  },
  CONTRACT_MALFORMED: {
    title: 'Contract data cannot be read',
    hint: 'Build contract data with encodeContract instead of by hand.',
    causes: [
      {
        cause: 'The data begins like a contract, but its lengths, codes or values do not fit together.',
        fix: 'Show it as plain text. A memo can look like a contract by accident; see protocol 7.3.',
      },
      { cause: 'decodeContract was called with ordinary text.', fix: 'Ask looksLikeContract first.' },
    ],
    related: ['MEMO_MALFORMED', 'ORDER_REJECTED'],
  },
  TRANSACTION_MALFORMED: {
    title: 'Transaction is not valid',
    hint: 'Build transactions with prepareTransaction or pay.',
    causes: [
      {
        cause: 'It has a memo and a contract; the network has one field for both.',
        fix: 'Leave the memo away.',
      },
      {
        cause: 'Its amount is zero, which the network rejects while a fee is due.',
        fix: 'Send at least the fee.',
      },
      {
        cause: 'A wallet was asked to sign a transaction of another account.',
        fix: 'Set from to the address of the wallet that signs.',
      },
    ],
    related: ['MEMO_MALFORMED', 'NONCE_OUT_OF_RANGE', 'AMOUNT_OUT_OF_RANGE'],
  },
  MEMO_MALFORMED: {
    title: 'Memo cannot be sent',
    hint: 'Use up to 512 of 0-9, a-z, A-Z, blank, underscore, hyphen, slash and full stop.',
    causes: [
      {
        cause:
          'The memo has other characters, such as a comma, a colon, a line break or a letter with an accent.',
        fix: 'Replace them. For larger or other data store it elsewhere and send its hash.',
      },
      {
        cause:
          'The memo looks like a contract: its first four characters are its own length in hex. The network would execute it.',
        fix: 'Put a word in front of it.',
      },
    ],
    related: ['TRANSACTION_MALFORMED', 'CONTRACT_MALFORMED'],
  },
  URL_REFUSED: {
    title: 'Address is not used',
    hint: 'Pass https:// for an API and wss:// for a gateway; plain text is for this machine.',
    causes: [
      {
        cause: 'The address begins with http:// and does not lead to this machine.',
        fix: 'Use https://. In a trusted network set allowInsecure, unless requireEncryption is set.',
      },
      {
        cause: 'The address has credentials, a query or a fragment, or cannot be parsed.',
        fix: 'Pass scheme, host, port and path alone.',
      },
      {
        cause:
          'A server redirected a POST, or redirected to another origin. Following it could move a payment.',
        fix: 'Configure the final address.',
      },
      {
        cause:
          'A gateway named another one that is in a private network, or that would give up encryption. Only a warning: the session goes on.',
        fix: 'Report it to the operator of the gateway.',
      },
    ],
    related: ['CONFIGURATION_INVALID', 'REQUEST_FAILED'],
  },
  CONFIGURATION_INVALID: {
    title: 'A setting cannot be used',
    hint: 'Correct the setting that facts.path names; facts.expected says how it should be.',
    causes: [
      {
        cause:
          'A required setting is missing: createClient needs network or apiUrl, a mining node needs a gateway.',
        fix: 'Pass it. There is no default network, so that a forgotten setting never ends on the main network.',
      },
      {
        cause:
          'A value has the wrong form, such as a gateway address that does not begin with ws:// or wss://.',
        fix: 'Read facts.expected and facts.found.',
      },
      {
        cause:
          'A stored chain of the local network began with another seed or native token than the one asked for.',
        fix: 'Leave the option away to go on with the chain, or start in another data folder.',
      },
      {
        cause: 'requireLeaderSignature is set and the network names no master key to verify with.',
        fix: 'Pass a network with masterPublicKey, or do not require the signature.',
      },
    ],
    related: ['ARGUMENT_INVALID', 'URL_REFUSED'],
  },
  RANDOMNESS_REFUSED: {
    title: 'Randomness is not random',
    hint: 'Do not use keys of this machine until its random source is repaired.',
    causes: [
      {
        cause: 'Two draws were equal, all bytes of a draw were equal, or a draw had the wrong length.',
        fix: 'Remove any replacement of crypto.getRandomValues. In tests pass a seeded source that changes.',
      },
    ],
    related: ['PRIVATE_KEY_MALFORMED'],
  },
  ARGUMENT_INVALID: {
    title: 'An argument has the wrong type',
    hint: 'Pass what facts.expected says for the parameter that facts.parameter names.',
    causes: [
      {
        cause: 'JavaScript without type checks passed a value of another type, often a number for a bigint.',
        fix: 'Correct the call. TypeScript reports it before the program runs.',
      },
      {
        cause: 'A listener is not a function, or an event has a misspelt name.',
        fix: 'Check the name against the list of events.',
      },
    ],
    related: ['CONFIGURATION_INVALID', 'AMOUNT_OUT_OF_RANGE'],
  },
}
