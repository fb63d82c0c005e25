/**
 * Equivalent of client.py, for machines without Python. It uses openapi.json only, nothing of this workspace, and
 * checks every answer.
 *
 * Usage: client.mjs OPENAPI_FILE BASE_URL VALUES_FILE
 */
import { readFile } from 'node:fs/promises'

const [documentFile, baseUrl, valuesFile] = process.argv.slice(2)
const document = JSON.parse(await readFile(documentFile, 'utf8'))
const values = JSON.parse(await readFile(valuesFile, 'utf8'))

const resolve = (node) =>
  node.$ref === undefined
    ? node
    : resolve(
        node.$ref
          .slice(2)
          .split('/')
          .reduce((found, name) => found[name], document),
      )

const kindOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const isOf = (value, type) => (type === 'integer' ? Number.isInteger(value) : kindOf(value) === type)
const silent = ['description', 'examples', 'format', 'title', 'propertyNames']

function members(value, schema, at) {
  for (const [name, member] of Object.entries(kindOf(value) === 'object' ? value : {})) {
    const described = schema.properties?.[name] ?? schema.additionalProperties
    if (described === undefined) return `${at}.${name} is not described`
    const found = described === true ? null : problem(member, described, `${at}.${name}`)
    if (found !== null) return found
  }
  return null
}

const keywords = {
  type: (value, rule, _, at) => [rule].flat().some((type) => isOf(value, type)) || `${at} is not ${rule}`,
  enum: (value, rule, _, at) => rule.includes(value) || `${at} is none of ${rule}`,
  const: (value, rule, _, at) => value === rule || `${at} is not ${rule}`,
  pattern: (value, rule, _, at) =>
    typeof value !== 'string' || new RegExp(rule, 'u').test(value) || `${at} does not match ${rule}`,
  minimum: (value, rule, _, at) => typeof value !== 'number' || value >= rule || `${at} is below ${rule}`,
  maximum: (value, rule, _, at) => typeof value !== 'number' || value <= rule || `${at} is above ${rule}`,
  required: (value, rule, _, at) =>
    kindOf(value) !== 'object' || rule.every((name) => name in value) || `${at} lacks one of ${rule}`,
  items: (value, rule, _, at) =>
    (Array.isArray(value) ? value : [])
      .map((item, n) => problem(item, rule, `${at}[${n}]`))
      .find((one) => one),
  properties: (value, _, schema, at) => members(value, schema, at),
  additionalProperties: (value, _, schema, at) => members(value, schema, at),
  anyOf: (value, rule, _, at) => rule.some((one) => problem(value, one, at) === null) || `${at} fits nothing`,
  oneOf: (value, rule, _, at) =>
    rule.filter((one) => problem(value, one, at) === null).length === 1 || `${at} fits not exactly one`,
}

/** Returns the first mismatch of a value with its schema, or null. */
function problem(value, node, at) {
  const schema = resolve(node)
  for (const [keyword, rule] of Object.entries(schema)) {
    if (silent.includes(keyword)) continue
    const found = keywords[keyword](value, rule, schema, at)
    if (typeof found === 'string') return found
  }
  return null
}

function check({ responses }, status, contentType, text) {
  if (responses[status] === undefined) return 'the status is not described'
  const described = resolve(responses[status])
  if (text === '') return described.description.includes('zero length') ? null : 'the body is empty'
  const media = contentType.split(';')[0]
  const content = described.content?.[media]
  if (content === undefined) return `the content type "${contentType}" is not described`
  return problem(media === 'text/plain' ? text : JSON.parse(text), content.schema, 'answer')
}

const problems = []
const succeeded = []
let answers = 0

async function ask(path, method, operation, { query = {}, body } = {}) {
  const asked = new URLSearchParams(query).toString()
  const url = baseUrl + path + (asked === '' ? '' : `?${asked}`)
  const init =
    body === undefined
      ? { method }
      : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
  const text = await response.text()
  answers++
  const found = check(operation, response.status, response.headers.get('content-type') ?? '', text)
  if (found !== null) problems.push(`${method} ${url}: ${response.status}: ${found}`)
  return response.status === 200 && text !== ''
}

const queryOf = ({ operationId, parameters }) =>
  Object.fromEntries(
    parameters
      .map(({ name, example }) => [name, values[operationId]?.[name] ?? example])
      .filter(([, value]) => value !== undefined),
  )

let operations = 0
for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    operations++
    const { operationId, parameters } = operation
    if (method === 'post') {
      await ask(path, 'POST', operation, { body: values[operationId]?.body })
      await ask(path, 'POST', operation, { body: [] })
      continue
    }
    if (await ask(path, 'GET', operation, { query: queryOf(operation) })) succeeded.push(operationId)
    await ask(path, 'GET', operation)
    const [first] = parameters
    if (first !== undefined) await ask(path, 'GET', operation, { query: { [first.name]: 'nonsense' } })
  }
}

process.stdout.write(JSON.stringify({ operations, answers, succeeded: succeeded.sort(), problems }))
