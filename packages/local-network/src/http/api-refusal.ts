/**
 * An answer that is no answer: sent as `{"err":1,"message":…}` with its status. Used where the public server
 * never answers at all (PROTOCOL 3.1).
 */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly statusCode: number

  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

export const notFound = (message: string): ApiRefusal => new ApiRefusal(404, message)
export const missing = (parameter: string): ApiRefusal =>
  new ApiRefusal(400, `The parameter ${parameter} is missing.`)
