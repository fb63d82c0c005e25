import * as z from 'zod'
import { layerShape, mergedSchema } from './brand-schema.ts'

/** Makes every member of a schema optional, at any depth. Lists stay whole, because they replace. */
function deepPartial(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) {
    return described(deepPartial(schema.unwrap() as z.ZodType).optional(), schema)
  }
  if (schema instanceof z.ZodObject) return described(z.strictObject(partialShape(schema.shape)), schema)
  return schema
}

const described = (made: z.ZodType, original: z.ZodType): z.ZodType =>
  original.description === undefined ? made : made.describe(original.description)

function partialShape(shape: Readonly<Record<string, z.core.$ZodType>>): Record<string, z.ZodType> {
  const entries = Object.entries(shape).map(([key, member]) => {
    const partial = deepPartial(member as z.ZodType)
    return [key, partial instanceof z.ZodOptional ? partial : described(partial.optional(), partial)] as const
  })
  return Object.fromEntries(entries)
}

/** One environment, or the settings of a command line: any part of a brand. */
export const layerSchema = z.strictObject(partialShape(layerShape))

export const environmentNames = ['dev', 'staging', 'prod'] as const

const environments = z
  .strictObject(
    Object.fromEntries(
      environmentNames.map((name) => [
        name,
        layerSchema.optional().describe(`What differs in ${name}. Lists replace, objects merge.`),
      ]),
    ),
  )
  .optional()
  .describe('What differs between environments.')

/** A brand file before merging; an environment may add what it leaves out. */
export const fileSchema = z.strictObject({ ...partialShape(mergedSchema.shape), environments })

/** A complete brand file. The JSON Schema for editors is printed from it. */
export const completeFileSchema = z.strictObject({ ...mergedSchema.shape, environments })
