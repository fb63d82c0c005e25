import type { FastifyInstance } from 'fastify'
import { issuesText } from '../issues-text.ts'
import type { PersonStore } from '../people/person-store.ts'
import { RefusedError } from '../people/refused-error.ts'
import { alertRoutes } from './alert-routes.ts'
import type { Alerts } from './alerts.ts'

/** Serves the changes of the alerts, and notes who made them; `/v1/alerts` itself is a question like the others. */
export function serveAlerts(
  server: FastifyInstance,
  { alerts, people }: { readonly alerts: Alerts; readonly people: PersonStore },
): void {
  for (const route of alertRoutes)
    server.route<{ Params: { readonly id?: string } }>({
      method: route.method,
      url: route.path.replace('{id}', ':id(^[0-9a-f]{12}$)'),
      config: { role: route.role },
      async handler(request, reply) {
        const read = route.body?.safeParse(request.body)
        if (read?.success === false) throw new RefusedError(400, issuesText(read.error))
        const answer = await route.run(alerts, {
          id: request.params.id ?? '',
          body: read?.data as never,
        })
        if (answer === null) throw new RefusedError(404, 'Nothing has this id.')
        const { id = request.params.id ?? null } = answer as { readonly id?: string }
        const person = request.visitor?.kind === 'person' ? request.visitor.person.name : null
        await people.note({ person, action: route.action, subject: id })
        return route.answer === null ? reply.code(204).send() : answer
      },
    })
}
