/** Error in what a person typed. Its message never repeats a value, which may be a secret. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
