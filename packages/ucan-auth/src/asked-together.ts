/** Questions of one asking. */
const most = 500;

/** Has what is asked in one turn of the event loop asked together, at its end: nobody is told what was so before they asked. */
export function askedTogether<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  let next: { readonly questions: Question[]; readonly answer: Promise<Answer> } | undefined;
  return (question) => {
    if (next === undefined || next.questions.length >= most) {
      const questions: Question[] = [];
      const begun = new Promise<void>((resolve) => setImmediate(resolve));
      const answer = begun.then(() => {
        if (next?.questions === questions) next = undefined;
        return ask(questions);
      });
      next = { questions, answer };
    }
    next.questions.push(question);
    return next.answer;
  };
}
