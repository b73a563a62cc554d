/* Expendibots in plain C: the reference that the benchmarks compare with, compiled by them with "gcc -O3" and used by nothing else.
 *
 *   expendibots perft DEPTH COUNT      leaves after DEPTH actions from the start, counted COUNT times and summed; seconds of CPU time
 *   expendibots playouts COUNT SEED    plies of COUNT random games from the start, games won by White and Black, seconds of CPU time
 *
 * All rules are played: a draw after 500 turns, and when a board stands for the fourth time.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURN_LIMIT = 500, OCCURRENCES = 4, MAX_TOKENS = 12, MAX_ACTIONS = 171 };
enum { RUNNING, WHITE_WINS, BLACK_WINS, NO_TOKENS, REPETITION, TOO_LONG };

/* A boom has count 0. */
typedef struct {
    uint8_t origin, target, count;
} Action;

typedef struct {
    uint64_t key;
    uint64_t tokens[2];
    int8_t board[64]; /* height of a stack, positive White, negative Black */
    int16_t ply, history_length, ending;
    uint64_t history[TURN_LIMIT + 1]; /* keys since the last boom */
} State;

static uint64_t zobrist[64][2 * MAX_TOKENS + 1];

static inline uint64_t random_bits(uint64_t *generator) {
    uint64_t bits = *generator += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

static inline int random_below(uint64_t *generator, int bound) {
    return (int)(((random_bits(generator) >> 32) * (uint64_t)bound) >> 32);
}

static void make_zobrist(void) {
    uint64_t generator = 2020;
    for (int square = 0; square < 64; square++)
        for (int height = 0; height <= 2 * MAX_TOKENS; height++)
            zobrist[square][height] = height == MAX_TOKENS ? 0 : random_bits(&generator);
}

static inline int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }

static int legal_actions(const State *state, Action *out) {
    int player = state->ply & 1, count = 0;
    uint64_t theirs = state->tokens[!player];
    for (uint64_t stacks = state->tokens[player]; stacks; stacks &= stacks - 1) {
        int square = lowest_bit(stacks), height = abs(state->board[square]);
        int reach[4] = {7 - (square >> 3), square >> 3, 7 - (square & 7), square & 7};
        static const int step[4] = {8, -8, 1, -1};
        for (int direction = 0; direction < 4; direction++) {
            int far = height < reach[direction] ? height : reach[direction];
            for (int distance = 1, target = square + step[direction]; distance <= far; distance++, target += step[direction]) {
                if (theirs >> target & 1)
                    continue;
                for (int tokens = 1; tokens <= height; tokens++)
                    out[count++] = (Action){(uint8_t)square, (uint8_t)target, (uint8_t)tokens};
            }
        }
        out[count++] = (Action){(uint8_t)square, (uint8_t)square, 0};
    }
    return count;
}

static inline void set_height(State *state, int square, int height) {
    state->key ^= zobrist[square][state->board[square] + MAX_TOKENS] ^ zobrist[square][height + MAX_TOKENS];
    state->board[square] = (int8_t)height;
}

static inline void move(State *state, int player, Action action) {
    int count = player ? -action.count : action.count;
    set_height(state, action.origin, state->board[action.origin] - count);
    set_height(state, action.target, state->board[action.target] + count);
    state->tokens[player] |= 1ull << action.target;
    if (state->board[action.origin] == 0)
        state->tokens[player] &= ~(1ull << action.origin);
}

static inline void boom(State *state, int square) {
    const uint64_t files_b_to_h = 0xFEFEFEFEFEFEFEFEu, files_a_to_g = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t occupied = state->tokens[0] | state->tokens[1], chain = 0, wider = 1ull << square;
    while (wider != chain) {
        chain = wider;
        uint64_t row = chain | (chain << 1 & files_b_to_h) | (chain >> 1 & files_a_to_g);
        wider = (row | row << 8 | row >> 8) & occupied;
    }
    state->tokens[0] &= ~chain;
    state->tokens[1] &= ~chain;
    for (; chain; chain &= chain - 1)
        set_height(state, lowest_bit(chain), 0);
    state->history_length = 0; /* fewer tokens than ever before: nothing that stood earlier can return */
}

static int remember(State *state) {
    int seen = 1;
    for (int at = 0; at < state->history_length; at++)
        seen += state->history[at] == state->key;
    state->history[state->history_length++] = state->key;
    return seen;
}

static void apply(State *state, Action action) {
    if (action.count)
        move(state, state->ply & 1, action);
    else
        boom(state, action.origin);
    state->ply++;
    int seen = remember(state);
    if (!state->tokens[0])
        state->ending = state->tokens[1] ? BLACK_WINS : NO_TOKENS;
    else if (!state->tokens[1])
        state->ending = WHITE_WINS;
    else if (seen >= OCCURRENCES)
        state->ending = REPETITION;
    else if (state->ply >= TURN_LIMIT)
        state->ending = TOO_LONG;
}

static inline void copy(const State *source, State *target) {
    memcpy(target, source, offsetof(State, history));
    memcpy(target->history, source->history, sizeof(uint64_t) * (size_t)source->history_length);
}

static void start(State *state) {
    memset(state, 0, sizeof *state);
    for (int square = 0; square < 64; square++) {
        int file = square & 7, rank = square >> 3;
        if (file == 2 || file == 5 || (rank > 1 && rank < 6))
            continue;
        set_height(state, square, rank < 2 ? 1 : -1);
        state->tokens[rank >= 2] |= 1ull << square;
    }
    remember(state);
}

static uint64_t perft(const State *state, int depth) {
    if (depth == 0)
        return 1;
    if (state->ending)
        return 0;
    Action actions[MAX_ACTIONS];
    int count = legal_actions(state, actions);
    if (depth == 1)
        return (uint64_t)count;
    uint64_t leaves = 0;
    for (int index = 0; index < count; index++) {
        State next;
        copy(state, &next);
        apply(&next, actions[index]);
        leaves += perft(&next, depth - 1);
    }
    return leaves;
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int arguments, char **argument) {
    State initial;
    make_zobrist();
    start(&initial);
    double begin = cpu_seconds();
    if (arguments == 4 && !strcmp(argument[1], "perft")) {
        uint64_t leaves = 0;
        for (long time = atol(argument[3]); time > 0; time--)
            leaves += perft(&initial, atoi(argument[2]));
        printf("%llu %.9f\n", (unsigned long long)leaves, cpu_seconds() - begin);
        return 0;
    }
    if (arguments == 4 && !strcmp(argument[1], "playouts")) {
        uint64_t plies = 0, generator = strtoull(argument[3], NULL, 10);
        long won[2] = {0, 0};
        for (long game = atol(argument[2]); game > 0; game--) {
            State state;
            copy(&initial, &state);
            while (!state.ending) {
                Action actions[MAX_ACTIONS];
                int count = legal_actions(&state, actions);
                apply(&state, actions[random_below(&generator, count)]);
                plies++;
            }
            won[0] += state.ending == WHITE_WINS;
            won[1] += state.ending == BLACK_WINS;
        }
        printf("%llu %ld %ld %.9f\n", (unsigned long long)plies, won[0], won[1], cpu_seconds() - begin);
        return 0;
    }
    fprintf(stderr, "expendibots perft DEPTH COUNT | playouts COUNT SEED\n");
    return 2;
}
