"""MaskablePPO of sb3-contrib learns Expand and Conquer against random play: ``pip install 'ludarium[rl]' sb3-contrib``, then run this file.
It takes a minute."""

import argparse

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env


def make_game() -> gymnasium.Env:
    """One game on a board of 7 × 7, from either side."""
    return gymnasium.make("ludarium.envs.gymnasium:ludarium/ExpandConquer-v0", start="ring", opponent="random", seat=None)


def score(model: MaskablePPO | None, games: int) -> float:
    """The share of games that are won: by the model, or by random play."""
    env, won = make_game(), 0
    for seed in range(games):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            mask = info["action_mask"]
            action = (
                env.action_space.sample(mask) if model is None else model.predict(observation, action_masks=mask, deterministic=True)[0]
            )
            observation, reward, over, _, info = env.step(action)
        won += reward > 0
    return won / games


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--steps", type=int, default=40_000)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    print(f"random play wins {score(None, 500):.1%} of 500 games")
    model = MaskablePPO(
        "MlpPolicy", make_vec_env(make_game, n_envs=16), n_steps=128, batch_size=512, ent_coef=0.01, seed=given.seed, device="cpu"
    )
    model.learn(given.steps)
    print(f"MaskablePPO wins {score(model, 500):.1%} of 500 games")
