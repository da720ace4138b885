// vitest reads only this name; the projects live in the workspace file.
export { default } from './vitest.workspace.ts';
