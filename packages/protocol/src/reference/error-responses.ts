import type { EndpointReference } from './endpoint-reference.ts'
import type { WireSchema } from './leaf-forms.ts'

/** Schema of every refusal and failure. */
const errorSchema: WireSchema = {
  type: 'object',
  properties: {
    err: { type: 'integer', enum: [1], description: 'Always 1.', examples: [1] },
    message: {
      type: 'string',
      description: 'What is wrong, for people.',
      examples: ['Something went wrong...'],
    },
  },
  required: ['err', 'message'],
}

const response = (description: string, message: string) => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: { recorded: { summary: 'In the words of the server', value: { err: 1, message } } },
    },
  },
})

const SOMETHING_WRONG = 'Something went wrong...'

/** The errors that any operation can answer with. */
export const errorComponents = {
  schemas: { Error: errorSchema },
  responses: {
    Malformed: response(
      'The body is not JSON, or a JSON text that is neither list nor object.',
      SOMETHING_WRONG,
    ),
    Repeated: response('A parameter is given more than once.', 'The parameter hash is given more than once.'),
    ForeignHost: response(
      'The request names a host that this node does not answer for: a protection against web pages that point a name of theirs at it.',
      'This node does not answer for the host example.org.',
    ),
    TooLarge: response('The body is longer than 102400 bytes.', SOMETHING_WRONG),
    Encoding: response('The text is not encoded in UTF-8.', SOMETHING_WRONG),
    StoreAway: response(
      'The database this node works with does not answer; the same question may be asked again in a moment.',
      'The store does not answer at the moment.',
    ),
    Failure: response('The server failed, or the network’s own software would have.', SOMETHING_WRONG),
  },
} as const

const refTo = (name: keyof typeof errorComponents.responses) => ({ $ref: `#/components/responses/${name}` })

const reported = (description: string, message: string) => response(description, message)

/** Returns the responses of an endpoint besides 200. */
export function errorResponses(reference: EndpointReference): Readonly<Record<string, unknown>> {
  const { endpoint, missing, malformed, unknown, unavailable } = reference
  const isPost = endpoint.method === 'POST'
  const hasQuery = Object.keys(endpoint.parameters).length > 0
  const said = [missing, malformed].filter((text) => text !== undefined)
  const repeated = hasQuery ? ['A parameter is given more than once.'] : []
  const unread = isPost ? ['The body is not JSON, or a JSON text that is neither list nor object.'] : []
  const sentences = [...said, ...repeated, ...unread]
  const refusal = isPost ? 'Malformed' : 'Repeated'
  return {
    ...(sentences.length === 0
      ? {}
      : { '400': said.length === 0 ? refTo(refusal) : reported(sentences.join(' '), exampleOf(reference)) }),
    '403': refTo('ForeignHost'),
    ...(unknown === undefined ? {} : { '404': reported(unknown, unknown) }),
    ...(isPost ? { '413': refTo('TooLarge'), '415': refTo('Encoding') } : {}),
    '500': refTo('Failure'),
    '503': unavailable === undefined ? refTo('StoreAway') : { description: unavailable },
  }
}

const exampleOf = ({ missing, endpoint }: EndpointReference): string => {
  const [name = 'page'] = Object.values(endpoint.parameters).map(({ wireName }) => wireName)
  return missing === undefined
    ? `The parameter ${name} should be a number from 0.`
    : missing.replaceAll('`', '')
}
