import type { RecordedExample } from './recorded-example.ts'

/** Made by a test of the conformance package (`test/examples.test.ts`), by method and path. Do not edit. */
export const recordedExamples: Readonly<Record<string, readonly RecordedExample[]>> = {}
