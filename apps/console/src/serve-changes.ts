import type { FastifyInstance } from 'fastify'
import type { ChangeRoute } from './change-route.ts'
import { issuesText } from './issues-text.ts'
import type { PersonStore } from './people/person-store.ts'
import { RefusedError } from './people/refused-error.ts'

/** Serves the changes of a subject, and notes who made them; what there is is a question like the others. */
export function serveChanges<Subject>(
  server: FastifyInstance,
  {
    routes,
    subject,
    id: form,
    people,
  }: {
    readonly routes: readonly ChangeRoute<Subject>[]
    readonly subject: Subject
    /** Form of the ids in paths. */
    readonly id: RegExp
    readonly people: PersonStore
  },
): void {
  for (const route of routes)
    server.route<{ Params: { readonly id?: string } }>({
      method: route.method,
      url: route.path.replace('{id}', `:id(${form.source})`),
      config: { role: route.role },
      async handler(request, reply) {
        const read = route.body?.safeParse(request.body)
        if (read?.success === false) throw new RefusedError(400, issuesText(read.error))
        const answer = await route.run(subject, {
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
