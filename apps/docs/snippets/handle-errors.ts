import { createClient, isNodeError } from '@hailstone/client'

const client = createClient({ apiUrl: 'http://127.0.0.1:9/api/v1' })
try {
  console.log(await client.getHeight())
} catch (error) {
  // Match on the code, never on the message. `facts` is typed by the code.
  if (!isNodeError(error, 'REQUEST_TIMEOUT') && !isNodeError(error, 'REQUEST_FAILED')) throw error
  console.log(`${error.code} at ${error.facts.path}`)
} finally {
  await client.close()
}
