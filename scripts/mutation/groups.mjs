/** The modules of G-20 and the tests that should notice a mistake in each; paths inside of the package. */
export const groups = {
  payments: {
    package: 'packages/client',
    files: [
      'src/payments/transition.ts',
      'src/payments/payment-record.ts',
      'src/payments/journal-line.ts',
      'src/payments/fee-cap.ts',
      'src/payments/twin-hashes.ts',
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
      'src/session/answered.ts',
    ],
    tests: { all: ['src/session/*.test.ts'] },
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
      // Known answers and rules written a second time.
      'src/hashing.ts': ['src/**/*.test.ts', 'test/rules-differential.test.ts', 'test/accelerated/*.test.ts'],
    },
  },
}
