/** A request that is refused, with its status in HTTP. The message is a sentence for the person who asked. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: 400 | 401 | 403 | 404 | 409 | 429 | 503
  /** Members that stand beside the sentence. */
  readonly facts: Readonly<Record<string, string | number | boolean>>

  constructor(
    status: RefusedError['status'],
    sentence: string,
    facts: Readonly<Record<string, string | number | boolean>> = {},
  ) {
    super(sentence)
    this.status = status
    this.facts = facts
  }
}
