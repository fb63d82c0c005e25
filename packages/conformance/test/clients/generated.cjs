// Asks questions and reads each answer with generated types, and writes it again; see generated.py.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { isDeepStrictEqual } = require('node:util')

/** Generated writers leave out what is null. */
function withoutNulls(value) {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

async function main(folder, baseUrl, questionsFile) {
  const types = require(join(folder, 'hailstone-types.cjs'))
  const questions = JSON.parse(readFileSync(questionsFile, 'utf8'))
  const problems = []
  for (const { operationId, path } of questions) {
    const name = operationId[0].toUpperCase() + operationId.slice(1)
    try {
      const text = await (await fetch(baseUrl + path)).text()
      const again = JSON.parse(types[`${operationId}ToJson`](types[`to${name}`](text)))
      if (!isDeepStrictEqual(withoutNulls(again), withoutNulls(JSON.parse(text))))
        problems.push(`${path}: read as ${JSON.stringify(again)}`)
    } catch (error) {
      problems.push(`${path}: ${error.message}`)
    }
  }
  process.stdout.write(JSON.stringify({ answers: questions.length, problems }))
}

main(...process.argv.slice(2))
