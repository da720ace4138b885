/** Carries an object as the arguments of a call, at endpoints that have no form for structured output. */
export const answerToolName = 'structured_answer';
