export type PostFault = {
  readonly cutRequestAt?: number
  readonly cutAnswerAt?: number
  readonly body?: string
  readonly answer?: string
  readonly cut?: () => void
  readonly also?: (body: string) => void
}

export type PostingProxy = {
  readonly apiUrl: string
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

export function postingProxy(
  apiUrl: string,
  onPost: (body: string, raw: Buffer) => PostFault | null,
): Promise<PostingProxy>
