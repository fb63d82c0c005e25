import type { ApiErrorCode, CursorErrorCode, QuorumErrorCode, ReportErrorCode } from '../../errors/facts.ts'
import type { ErrorExplanations } from './error-explanation.ts'

/** Codes of requests to the API, of the chain it serves, and of sessions with a gateway. */
export const apiExplanations: ErrorExplanations<
  ApiErrorCode | QuorumErrorCode | ReportErrorCode | CursorErrorCode
> = {
  RESPONSE_INVALID: {
    title: 'Answer is not what the protocol allows',
    hint: 'Check the API address; if it is right, use another API node and tell the operator.',
    causes: [
      {
        cause: 'The address leads to something else that answers with 200, such as a login page or a proxy.',
        fix: 'Open the address in a browser. It should answer with JSON.',
      },
      {
        cause: 'The node is faulty, altered, or newer than this package. The answer was not used.',
        fix: 'Update the package. facts.reason names the member that is wrong.',
      },
      {
        cause: 'The node is starting and names no native token yet; none is assumed.',
        fix: 'Ask again a little later, or name tokenId.',
      },
    ],
    related: ['RESPONSE_TOO_LARGE', 'JSON_MALFORMED', 'CHAIN_INCONSISTENT'],
  },
  RESPONSE_TOO_LARGE: {
    title: 'Answer is too large',
    hint: 'The answer was cut off at the limit and not used; check the API address.',
    causes: [
      {
        cause:
          'The server sends more than any answer of the protocol has. The limit protects the memory of the program.',
        fix: 'Use another API node.',
      },
    ],
    related: ['RESPONSE_INVALID', 'JSON_TOO_LARGE'],
  },
  HTTP_STATUS: {
    title: 'The API answered with an error status',
    hint: 'Read facts.status and facts.message; 404 often means that the address lacks /api/v1.',
    causes: [
      {
        cause: '404 without a message: the address is not the root of an API.',
        fix: 'End apiUrl in /api/v1.',
      },
      {
        cause: '426: the address is the one of a gateway.',
        fix: 'Pass it as gatewayUrl, and the API as apiUrl.',
      },
      {
        cause: '429: the API limits requests. The client has retried within its time already.',
        fix: 'Ask less often, or run a node of your own.',
      },
      {
        cause: '5xx: the node or a proxy in front of it is down.',
        fix: 'Wait, or name a second node with apiUrls.',
      },
    ],
    related: ['REQUEST_FAILED', 'REQUEST_TIMEOUT'],
  },
  REQUEST_TIMEOUT: {
    title: 'No answer in time',
    hint: 'Try again later, or raise timeoutMs, which is 10 s by default and includes retries.',
    causes: [
      {
        cause: 'The node is overloaded, or the connection is slow.',
        fix: 'Raise timeoutMs, or use another node.',
      },
      {
        cause:
          'The public node never answers some questions, such as a block at a height that does not exist.',
        fix: 'Check the height or hash in the question.',
      },
    ],
    related: ['REQUEST_FAILED', 'TRANSACTION_UNCERTAIN'],
  },
  REQUEST_FAILED: {
    title: 'The API could not be reached',
    hint: 'Check the address, the network connection, and whether the server runs.',
    causes: [
      {
        cause: 'The connection was refused: nothing listens at this host and port.',
        fix: 'Start the network (hailstone-network; in a clone npm run network), or correct the port.',
      },
      {
        cause: 'The host name is not known, or there is no way to the network.',
        fix: 'Check DNS and connection.',
      },
      {
        cause:
          'In a page, the browser stopped the request: mixed content, a content security policy, or CORS.',
        fix: 'Read what the developer tools of the browser say. Serve the page and the API both by https.',
      },
      { cause: 'The client was closed before the request.', fix: 'Close the client last.' },
    ],
    related: ['REQUEST_TIMEOUT', 'URL_REFUSED', 'HTTP_STATUS'],
  },
  HEIGHT_UNAVAILABLE: {
    title: 'No block at this height yet',
    hint: 'Wait for the next block, or ask for a lower height.',
    causes: [
      {
        cause: 'The height is above the newest block, or this node is behind the others.',
        fix: 'Compare with getHeight of the same node.',
      },
      {
        cause: 'A local network was rewound, or began anew, while a program followed the chain.',
        fix: 'Nothing: the program reads again.',
      },
      {
        cause: 'Height 0: no API node shows the first block, which names the chain that cursors belong to.',
        fix: 'Configure originHash and genesisAddress of the network, or add a node that has all blocks.',
      },
    ],
    related: ['CHAIN_INCONSISTENT', 'HTTP_STATUS'],
  },
  CHAIN_INCONSISTENT: {
    title: 'Blocks do not fit together',
    hint: 'Do not trust this node: read the chain from another one.',
    causes: [
      {
        cause:
          'A block, a transaction or a link does not have the hash of its content. The node is faulty or lies.',
        fix: 'Use another node, or ask several with quorum.',
      },
      {
        cause: 'The next key block commits to other microblocks than the node listed.',
        fix: 'Read again after the next block; if it stays so, the list is incomplete.',
      },
    ],
    related: ['NODES_DISAGREE', 'RESPONSE_INVALID', 'NETWORK_MISMATCH'],
  },
  NETWORK_MISMATCH: {
    title: 'This is another network',
    hint: 'Sign nothing there: check --network, apiUrl and the network value.',
    causes: [
      {
        cause: 'The first block of the chain is not the one that the network value names.',
        fix: 'Use the API of the network that you mean.',
      },
      {
        cause:
          'A payment journal belongs to the chain of another network, or to a local network that was reset.',
        fix: 'Open a journal of its own for each network.',
      },
    ],
    related: ['CHAIN_INCONSISTENT', 'CONFIGURATION_INVALID'],
  },
  TOKEN_UNKNOWN: {
    title: 'The network knows no such token',
    hint: 'Check the token id, and that the API belongs to its network.',
    causes: [
      {
        cause: 'The id belongs to another network. Test networks have other tokens than the main one.',
        fix: 'Look the token up with getTokenNames on this API.',
      },
      {
        cause: 'The transaction that creates the token is not confirmed yet, or was rejected.',
        fix: 'Wait for it with waitForTransaction.',
      },
    ],
    related: ['TOKEN_ID_MALFORMED', 'NETWORK_MISMATCH'],
  },
  DECIMALS_DIFFER: {
    title: 'The token has other decimals than expected',
    hint: 'Nothing was signed: find out which of the two is right before you pay.',
    causes: [
      {
        cause:
          'The API says another number of decimals than the network value or an earlier answer. With wrong decimals an amount in coins is wrong by a power of ten.',
        fix: 'Ask another node. Correct the network value if it is the one that is wrong.',
      },
    ],
    related: ['NETWORK_MISMATCH', 'AMOUNT_TOO_PRECISE'],
  },
  NODES_DISAGREE: {
    title: 'API nodes give different answers',
    hint: 'Try again after the next block; if it stays so, one of the nodes is wrong.',
    causes: [
      { cause: 'One node is some blocks behind. Compare the heights in facts.answers.', fix: 'Ask again.' },
      {
        cause: 'A node is faulty, or lies. No answer was used.',
        fix: 'Leave out the node whose value differs at the same height.',
      },
    ],
    related: ['CHAIN_INCONSISTENT', 'REQUEST_FAILED'],
  },
  MESSAGE_MALFORMED: {
    title: 'A gateway message cannot be read',
    hint: 'Nothing to do: the message is dropped and mining goes on.',
    causes: [
      {
        cause: 'The gateway sent something that is not JSON or not a message of version 4.',
        fix: 'If it happens often, use another gateway and tell the operator.',
      },
    ],
    related: ['GATEWAY_ERROR', 'BEACON_REFUSED'],
  },
  GATEWAY_ERROR: {
    title: 'The gateway reports an error',
    hint: 'Read facts.code; the session stays open unless the gateway closes it.',
    causes: [
      {
        cause:
          'The gateway sent an error that has no meaning of its own here. A duplicate key and a wrong protocol version are not among them: the node waits with that reason.',
        fix: 'Ask the operator of the gateway. ERR_WRONG_LOW_STAKE would mean that the balance is below the minimum stake.',
      },
    ],
    related: ['MESSAGE_MALFORMED', 'BEACON_REFUSED'],
  },
  NATIVE_TOKEN_UNKNOWN: {
    title: 'The API does not say which token is native',
    hint: 'Check the API; the node mines on and asks again.',
    causes: [
      {
        cause: 'The API is not reachable, or answers the question with an error. The cause has the details.',
        fix: 'Repair what error.message names.',
      },
      {
        cause: 'The API is starting and names no native token yet.',
        fix: 'Wait: nothing but what the API names is remembered. If it stays so, ask another API.',
      },
      {
        cause: 'The API is older than the endpoint.',
        fix: 'Pass a network value with nativeTokenId, or set tokenId of the mining node.',
      },
    ],
    related: ['REQUEST_FAILED', 'TOKEN_UNKNOWN'],
  },
  LISTENER_FAILED: {
    title: 'A listener threw',
    hint: 'Look at error.cause: the fault is in your listener of the event facts.event.',
    causes: [
      {
        cause: 'Code that was passed to on, once or subscribe threw, or its promise was rejected.',
        fix: 'Catch errors inside the listener. Mining is not affected, and other listeners were called.',
      },
    ],
    related: ['ARGUMENT_INVALID'],
  },
  CURSOR_STORE_FAILED: {
    title: 'A cursor was not kept',
    hint: 'Look at error.cause and facts.reason: the store that the watch was given did not read or write facts.name, or what it holds there is damaged.',
    causes: [
      {
        cause:
          'The disk is full, the folder is read-only, or the database behind a store of yours does not answer.',
        fix: 'Make room or bring it back. The watch tries again, and no reward is lost meanwhile.',
      },
      {
        cause: 'What is stored was cut short, altered or written by another version.',
        fix: 'Bring a copy back, or remove it: the watch then begins anew, and skips the rewards in between. Until then it tells no reward.',
      },
    ],
    related: ['LISTENER_FAILED'],
  },
}
