/** What a person typed cannot be read. Its message never repeats a value: it may be a secret. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
