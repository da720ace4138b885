/** For `refine`: the one character that no database column of text can hold. */
export const withoutNul = [(text: string) => !text.includes('\u0000'), 'must not contain the NUL character'] as const;
