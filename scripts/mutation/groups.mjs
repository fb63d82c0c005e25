const pathsOf = (...names) => names.map((name) => `src/session/${name}.test.ts`)

/** The modules of G-20 and the tests that should notice a mistake in each; paths inside of the package. */
export const groups = {
  payments: {
    package: 'packages/client',
    files: [
      'src/payments/transition.ts',
      'src/payments/payment-record.ts',
      'src/payments/journal-line.ts',
      'src/payments/fee-cap.ts',
    ],
    tests: { all: ['src/payments/*.test.ts'] },
  },
  session: {
    package: 'packages/mining-node',
    files: [
      'src/session/transition.ts',
      'src/session/connection.ts',
      'src/session/gateway-message.ts',
      'src/session/backoff.ts',
    ],
    // The tests of the file itself: the others take ten times as long, and notice no more than a few mistakes more.
    tests: {
      all: ['src/session/*.test.ts'],
      'src/session/transition.ts': pathsOf('transition', 'connection', 'gateway-message'),
      'src/session/connection.ts': pathsOf('transition', 'connection', 'gateway-message'),
      'src/session/gateway-message.ts': pathsOf('transition', 'gateway-message', 'answered'),
      'src/session/backoff.ts': pathsOf('backoff'),
    },
  },
  codecs: {
    package: 'packages/protocol',
    files: [
      'src/json.ts',
      'src/der.ts',
      'src/hashing.ts',
      'src/schema/record.ts',
      'src/schema/leaves.ts',
      'src/schema/encode-with.ts',
      'src/messages/beacon.ts',
      'src/messages/server-message.ts',
      'src/messages/client-message.ts',
      'src/messages/publication.ts',
      'src/messages/hail.ts',
      'src/values/amount.ts',
      'src/values/address.ts',
    ],
    tests: {
      all: ['src/**/*.test.ts'],
      'src/hashing.ts': ['src/hashing.test.ts'],
      'src/json.ts': ['src/json.test.ts'],
      'src/schema/record.ts': ['src/schema/record.test.ts'],
    },
  },
}
