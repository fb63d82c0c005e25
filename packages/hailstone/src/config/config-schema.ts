import type { OptionSpec } from '../commands.ts'
import { OLDER_REVERTED, WEBHOOK_EVENTS } from '../webhook/webhook-settings.ts'
import { allKeys } from './config-keys.ts'

const NUMBERS: ReadonlySet<string> = new Set(['N', 'PORT'])

function schemaOf({ value, isMultiple, choices, about }: OptionSpec): object {
  const description = about
  if (value === undefined) return { description, type: 'boolean' }
  if (isMultiple)
    return { description, oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
  if (choices !== undefined) return { description, enum: choices }
  return { description, type: NUMBERS.has(value) ? ['integer', 'string'] : 'string' }
}

/** Returns the JSON Schema of a configuration file, made from the declaration of the options. */
export const configSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of the command hailstone',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...Object.fromEntries([...allKeys].map(([key, { spec }]) => [key, schemaOf(spec)])),
    webhook: {
      description: 'Receiver of events; with hailstone mine, fleet, bridge and send',
      type: 'object',
      additionalProperties: false,
      required: ['url', 'secret-file'],
      properties: {
        url: { description: 'address that begins with https://, or http:// on this machine', type: 'string' },
        'secret-file': {
          description: 'file with whsec_ and 24 to 64 bytes in base64; mode 600',
          type: 'string',
        },
        events: {
          description: 'events to send (default: all)',
          type: 'array',
          minItems: 1,
          items: { enum: [...WEBHOOK_EVENTS, OLDER_REVERTED] },
        },
      },
    },
  },
})
