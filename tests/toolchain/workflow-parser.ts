/**
 * Says as JSON what GitHub's own parser finds wrong with each workflow that is named. A program of its own since the
 * parser loads as a bundle alone.
 */
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";

const found: string[] = [];
for (const name of Deno.args) {
  const file = { name, content: Deno.readTextFileSync(name) };
  const { context, value } = parseWorkflow(file, new NoOperationTraceWriter());
  if (value === undefined) found.push(`${name}: no workflow`);
  else await convertWorkflowTemplate(context, value);
  found.push(...context.errors.getErrors().map(({ message }) => message));
}
console.log(JSON.stringify(found));
